/** The error codes `ContentModified` and `ServerCancelled` of the Language Server Protocol 3.17. */
const OVERTAKEN: readonly unknown[] = [-32801, -32802];

/** Repeats a request to the language server as long as it fails because the text was changed meanwhile. */
export async function askUntilSettled<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && OVERTAKEN.includes(error.code))) throw error;
    }
}
