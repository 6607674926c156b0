/** `ContentModified` and `ServerCancelled` of the Language Server Protocol 3.17. */
const OVERTAKEN: readonly unknown[] = [-32801, -32802];

/**
 * Asks the language server again where a text changed while it was read, for which there is no answer then: once an edit at
 * most.
 */
export async function askUntilSettled<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && OVERTAKEN.includes(error.code))) throw error;
    }
}
