/** The maximum number of requests of one batch that are answered at a time, so that one caller leaves room for others. */
const AT_A_TIME = 16;

/**
 * Answers the messages of a batch, a few requests at a time. What is no request is taken at once: it may be what a
 * request waits for. The answers are in the order of the messages.
 */
export async function answerBatch<Item, Answer>(
  items: readonly Item[],
  answer: (item: Item) => Promise<Answer>,
  isRequest: (item: Item) => boolean = () => true,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const take = async ([at, item]: readonly [number, Item]): Promise<void> => {
    answers[at] = await answer(item);
  };
  const all = [...items.entries()];
  const left = all.filter(([, item]) => isRequest(item)).values();
  const work = async (): Promise<void> => {
    for (const each of left) await take(each);
  };
  const others = all.filter(([, item]) => !isRequest(item));
  await Promise.all([...Array.from({ length: AT_A_TIME }, work), ...others.map(take)]);
  return answers;
}
