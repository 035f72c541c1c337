#include "libcore/codec/adaptive/first_text.hpp"

namespace logpx::codec::adaptive {

namespace {

// Never changed, like the rest of the first text.
constexpr std::string_view prose = R"text(
It was late in the afternoon when the old man came down from the hill, and the children who had
been playing near the river ran to meet him. "Where have you been all day?" asked the youngest,
taking his hand. "We looked for you everywhere." He laughed and said that he had only been walking
through the woods, as he often did when the weather was fine, and that he had thought about many
things. "What kind of things?" said the girl. "Oh, I don't know," he answered slowly. "About the
time when I was as young as you are now. There was no road here then, and nobody had ever seen a
train." They went on together until they reached the house at the end of the village, where a light
was already burning in the window and the smell of bread came out of the open door.

"You must be tired," said the woman who stood there waiting for them. "Come in and sit down by the
fire. I have kept something warm for you." She did not ask any more questions, but she could see
from his face that something had happened. After a while he began to speak. "I suppose you would
have heard about it sooner or later," he said. "They are going to sell the mill. Mr. Brown told me
this morning; his brother wrote to him from London. It seems that there is not enough money left to
pay for the repairs, and the bank will not wait any longer than the first of March." For a moment
nobody spoke. Then she shook her head. "It can't be true. He would never have done such a thing
without telling us." "Perhaps he had no choice," replied the old man. "Perhaps it is better so."

The next day they walked into the town. It had rained during the night, the streets were still wet,
and people hurried past with their heads down, each of them thinking of his own business. In front
of the church a crowd had gathered. A tall gentleman in a black coat was reading a paper aloud, but
his voice was so low that only those who stood quite close to him were able to understand what he
said. "Is it about the war?" whispered a boy. "Be quiet," said his mother, "or we shall not hear a
word." It was not about the war at all. The king would visit the city in the spring, and everything
had to be ready by then: the bridge over the river, the great square between the two towers, and
the garden behind the palace. Some of the men shouted with joy; others turned away without saying
anything, because they knew very well who would have to pay for it in the end.

I have often asked myself why I remember that evening so clearly, although so little happened. My
father was sitting at the table with his books, my sister was writing a letter, and I looked out at
the snow which had begun to fall. Suddenly there was a knock at the door. We all looked up, for it
was nearly midnight and we did not expect anyone. "Who can that be?" cried my sister. Before she
had finished speaking, the door opened, and a stranger came into the room. His clothes were covered
with snow, and he seemed to have come a long way on foot. "I beg your pardon," he said, "but I have
lost my way in the dark. Could you tell me how far it is to the nearest station?" My father got up
at once and gave him a chair. "You will not find a train at this hour," he told him kindly. "Stay
with us tonight; tomorrow morning one of the boys will show you the road." The man thanked him
again and again. He never told us his name, and we never saw him after that, but at Christmas every
year a small box arrived, with nothing in it except an orange and a piece of silver.

Dear Sir or Madam,

Thank you very much for your letter of the 14th of June. I am sorry that I could not answer it
before now. I would be glad if you could send me some more information about the house, especially
about the number of rooms, the size of the kitchen, and the distance to the next school, since we
have three children. As far as I understand, the price does not include the furniture. Would it be
possible for us to see everything next week, on Tuesday or Wednesday? Please let me know whether
that would suit you. If you have any further questions, please do not hesitate to contact me. I am
looking forward to hearing from you soon.

Yours sincerely,
Mary Johnson

The government announced on Monday that it would increase the amount of money which is spent on
public health and education over the next five years. According to a report that was published by
the national research council, more than half of all hospitals in the country need new equipment,
and the number of doctors has fallen by almost ten per cent since the year 2000. "This is a very
important step in the right direction," the president of the council said in an interview, "but it
will not be enough on its own." Members of the other party, however, described the decision as too
little and too late. They believe that the problem can only be solved if the states, the cities and
private companies work together. Several thousand people took part in a demonstration in the
capital last Saturday. The police said that there had been no violence. A final vote is expected in
September or October, shortly before the general election.

The first people who lived on these islands came from the south about two thousand years ago. They
grew rice, kept animals and caught fish; their houses were built of wood and were usually placed
near the water. During the eighteenth century, the largest of the islands became a colony, and its
population increased from 12,000 in 1790 to more than 150,000 at the beginning of the 20th century.
After the Second World War it became an independent state. Its economy is mainly based on
agriculture, tourism and the production of electrical power; the official language is English,
although French and Spanish are also used in many areas of daily life. The university, which was
founded in 1963, is one of the best known in the region and has about 8,500 students. The mean
temperature is 24 degrees in July and 11 degrees in January, and most of the rain falls in winter.

In this paper we present a new method for the analysis of large systems. The main idea is simple:
instead of computing the exact solution of each problem, which would be far too expensive, we use a
small set of examples in order to find a function that is close to it, and we show that the error
is bounded by a constant which depends only on the size of the set. The rest of the paper is
organized as follows. In Section 2 we describe the model and introduce the notation that will be
used throughout. Section 3 contains the algorithm and a proof of its properties. In Section 4 we
compare the results of our experiments with those of previous work, as shown in Figure 1 and Table
2. Finally, some conclusions and possible directions for future research are discussed in Section
5. We assume that the reader is familiar with the basic concepts of probability theory. Let X be a
random variable with values between zero and one, and suppose that each of the observations is
independent of the others. Then, for any given number n, the following two conditions are
equivalent: first, the difference between the expected value and the average is smaller than the
limit; second, there exists a sequence of points such that the sum of their weights is equal to
one. It follows from this that the process can be used in practice, provided that the input data
does not change too quickly. On the other hand, there are cases in which the performance of the
system was worse than that of other methods. This is due to the fact that the information about the
state of the machine is not available at the time at which the decision must be made.

How to make a good soup: take two large onions, a few carrots and some potatoes, wash them and cut
them into small pieces. Heat a little oil in a pot, add the onions, and cook them over a low fire
for about ten minutes until they are soft. Then put in the other vegetables, a litre of water, salt
and pepper. Let it boil for half an hour. Just before serving, add a glass of white wine and a
handful of fresh herbs. This is enough for four people; it tastes even better on the next day.

Before you use this program for the first time, make sure that you have read the instructions. To
install it, copy the files to a directory of your choice and run the following command. If an error
message appears on the screen, check that the path is correct and that you have permission to write
to the disk. You can change the default settings by editing the configuration file; each line has
the name of an option, followed by its value. Options that begin with a number sign are ignored. By
default the output is written to the standard output, unless a file name is given. Press any key to
continue, or type "help" for a list of all available commands. The software is provided as it is,
without warranty of any kind. You may copy, change and distribute it under the terms of the license
which you will find in the file of that name. All rights reserved. For more information about how to
use the library from other programming languages, see the documentation on our web site, or send a
message to the mailing list. Note that this feature is still experimental, and that it should not
be used in production. Bug reports, comments and suggestions are always welcome.

What is a good life? Some would say that it is one in which we do what we want; others, that it is
one in which we are of use to those around us. Neither of these answers can be the whole truth. He
who has everything he ever wished for is not always happy, and whoever thinks of nothing but his
duty may discover, when it is too late, that he has forgotten himself. Nature has given us both
body and mind, and the one cannot be strong while the other is weak. Therefore let every man work
with his hands for some part of the day, and read and think during another; let him love his
friends, be honest with his enemies, and never speak of what he does not know. There is nothing in
the world, neither gold nor power nor the praise of the people, that is worth more than a quiet
night's sleep. But the heart is not easily persuaded by reason, my lord, and a beautiful face or a
sweet word has often led even the wisest of us away from the path upon which he had set out. Thou
shalt not say that it was the fault of the stars. They shine on all of us alike; and when the sun
rises in the east, behold, the earth is green again, as though it had forgotten the winter.

"Well," said the captain, "what do you think of her?" The ship lay in the harbour, her sails white
against the blue sky. "She's beautiful," I said. "When do we start?" "As soon as the wind changes.
We've got enough food and water on board for at least six weeks, and I won't wait for the others if
they don't come by tomorrow." He was a big man with grey hair and dark eyes, who had spent most of
his life at sea. I didn't like him much at first, but I knew that there wasn't a better sailor
anywhere on the coast. That night I couldn't sleep. I lay on my bed, listening to the sound of the
waves, and tried to imagine what it would be like: the open sea, the heat, the birds, and then, at
last, land. Isn't it strange how a man can be afraid of the very thing he has always wanted? "It's
time," somebody called. "Get up, or they'll leave without you!" I took my bag, went quickly down
the stairs and out into the cold morning air. Everything was still. Nothing moved except the water.

Each year, millions of birds travel between the north and the south. Scientists have known for a
long time that they use the position of the sun and the stars to find their way, but until recently
it was not clear how they do it when the sky is covered with clouds. A group of researchers from
three universities has now found that the animals are able to feel the direction of the earth's
magnetic field. In one experiment, young birds were placed in a room in which the field could be
changed; as soon as it was turned by 90 degrees, most of them tried to fly in another direction.
The effect was strongest under blue light, and it could not be seen at all in complete darkness.
These results suggest that special cells in the eye play an important role. "We still do not
understand every detail," says one of the authors, "but there is no doubt that they can see
something which remains hidden from us." Similar abilities have been found in fish, in insects and
even in some plants. The question of whether human beings once had them as well is still open.

The history of the town goes back to the Middle Ages, when a market was held here twice a month.
The castle was built by Duke Henry in 1247 and destroyed by fire in 1618; only the western wall and
one of its gates can still be seen today. In the nineteenth century a railway line was opened, and
with it came industry: steel, glass, paper and, above all, machines for the production of cloth.
The family of the owner, William Scott, gave the city its first theatre, a public library and a
hospital. He was born on 3 May 1821 in a small village near the border, the son of a teacher; after
his studies he worked as an engineer in Paris, Berlin and New York, married Anna Smith, with whom
he had four sons and two daughters, and died on 28 December 1899. Among his best known works are
the bridge across the valley and the station, which was named after him. During the 1930s several
thousand workers lost their jobs. The team won the championship in 1952, 1953 and again in 1974.
Since 1995 the old factory has been used as a museum of art; the album that was recorded there by a
local band was released in November 2004 and received mostly positive reviews from music critics.
)text";

}  // namespace

std::string_view first_prose() { return prose; }

}  // namespace logpx::codec::adaptive
