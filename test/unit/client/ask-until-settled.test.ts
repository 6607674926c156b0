import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import { askUntilSettled } from '../../../client/src/language-client/ask-until-settled.ts';

describe('what the language server is asked of a text that changes', () => {
  /** Asks who fails with these codes, one after the other, and then answers: how often that was, and the last failure. */
  async function askWho(...codes: readonly number[]): Promise<unknown> {
    let asked = 0;
    const ask = (): Promise<number> => {
      const code = codes[asked++];
      return code === undefined ? Promise.resolve(asked) : Promise.reject(new ResponseError(code, 'no'));
    };
    return askUntilSettled(ask).catch((error: unknown) => [
      asked,
      error instanceof ResponseError && error.code,
    ]);
  }

  it('is asked again, and the overtaken answer is dropped', async () => {
    const { ContentModified, ServerCancelled, RequestFailed } = LSPErrorCodes;
    assert.deepEqual(
      [
        await askWho(),
        await askWho(ContentModified, ServerCancelled, ContentModified),
        await askWho(RequestFailed),
        await askWho(ContentModified, RequestFailed),
      ],
      [1, 4, [1, RequestFailed], [2, RequestFailed]],
    );
  });
});
