# The level that the paper's curve for model $name reaches, as a report whose series spans the same samples as
# our history (slurped), so that plot-report draws both.
($models[0][] | select(.name == $name) | .published) as $published |
{ schema: "logpx.report/1", tool: "reproduce-mnist", version: "1", command: [], inputs: [], outputs: [], config: {},
  result: {}, series: [{ name: $published.text, x: [.[0, -1].samples_seen], y: [$published.nats, $published.nats],
                         x_label: "samples seen", y_label: "elbo / nats" }], warnings: [] }
