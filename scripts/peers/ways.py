"""The ways in which PyTorch can take the same training step, and how long each takes; for the peers of this folder."""
import signal
import statistics
import time

# As it stands; with an optimiser that is one kernel; with that and a network that is compiled.
WAYS = ("eager", "fused", "compiled")
LONGEST = 60  # CPU seconds after which a way is given up: compiling may take minutes


class TookTooLong(Exception):
    pass


def give_up(*_):
    raise TookTooLong(f"more than {LONGEST} CPU seconds")


def optimizer_of(way, make, parameters, **settings):
    return make(parameters, **settings, **({} if way == "eager" else {"fused": True}))


def network_of(way, network):
    import torch

    return torch.compile(network) if way == "compiled" else network


def times_of_steps(way, network, data, batch, warm_up=20, steps=300):
    """Milliseconds of training steps by Adam on a loss that the network gives of its rows."""
    import torch

    optimizer, loss_of = optimizer_of(way, torch.optim.Adam, network.parameters()), network_of(way, network)
    order = torch.randperm(len(data))
    seconds = []
    for step in range(warm_up + steps):
        begin = time.perf_counter()
        at = step * batch % len(data)
        x = data[order[at : at + batch]]
        optimizer.zero_grad()
        loss_of(x).backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begin)
    return [1e3 * s for s in seconds[warm_up:]]


def measure(cases):
    """Variants from functions that give the milliseconds of steps; or why one is not here."""
    variants = {}
    signal.signal(signal.SIGPROF, give_up)
    for name, times_of in cases.items():
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            milliseconds = times_of()
        except Exception as error:  # a way that this version or machine lacks
            variants[name] = {"missing": (str(error) or type(error).__name__).splitlines()[0][:80]}
        else:
            variants[name] = {"median": statistics.median(milliseconds), "least": min(milliseconds)}
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return variants
