/** The maximum number of requests of one batch that are answered at a time, so that one caller leaves room for others. */
const AT_A_TIME = 16;

/** Answers the requests of a batch, a few at a time. The answers are in the order of the requests. */
export async function answerBatch<Request, Answer>(
  requests: readonly Request[],
  answer: (request: Request) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const left = requests.entries();
  const work = async (): Promise<void> => {
    for (const [at, request] of left) answers[at] = await answer(request);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return answers;
}
