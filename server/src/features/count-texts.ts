import type { CancellationToken } from 'vscode-languageserver';
import type { Encoding } from '../../../protocols/cost/encoding.ts';
import { COUNT_TEXTS } from '../../../wire/cost-requests.ts';
import { loadEncoding } from '../costing/counting.ts';
import { guardRequest } from '../guard.ts';
import { runInSlices } from '../slices.ts';
import type { Feature } from './feature.ts';

/** Counts the tokens of texts that are not in documents, such as the wire text of a call. */
export const countTexts: Feature = {
  name: 'countTexts',
  capabilities: () => ({}),
  register(host) {
    host.connection.onRequest<unknown, void>(
      COUNT_TEXTS.method,
      (params: unknown, token: CancellationToken) => {
        if (!COUNT_TEXTS.isParams(params)) return null;
        const work = { feature: 'countTexts' };
        return guardRequest<readonly number[] | null, void>(host, work, null, token, async () => {
          const encoding = await loadEncoding(host, params.encoding);
          return (await runInSlices(host, counting(encoding, params.texts), token)) ?? null;
        });
      },
    );
  },
};

function* counting(encoding: Encoding, texts: readonly string[]): Generator<void, readonly number[]> {
  const counts: number[] = [];
  for (const text of texts) {
    const { tokens } = yield* encoding.counting(text);
    counts.push(tokens);
  }
  return counts;
}
