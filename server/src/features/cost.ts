import { ALL_MESSAGES } from '../../../protocols/all.ts';
import type { CancellationToken } from 'vscode-languageserver';
import { costTable } from '../../../protocols/cost/cost-table.ts';
import { readMessages } from '../../../protocols/convert/read-text.ts';
import { Report } from '../../../core/message/report.ts';
import type { OpenDocument } from '../../../language/support.ts';
import { textIn } from '../../../core/values/value.ts';
import type { Span } from '../../../core/text/span.ts';
import { COST, TOKENS, type CostParams, type CostResult } from '../../../wire/cost-requests.ts';
import { messagesAt } from '../converting/conversion.ts';
import { Answers } from '../costing/answers.ts';
import { countSpan, loadEncoding } from '../costing/counting.ts';
import { guardRequest } from '../guard.ts';
import { toOffset, toRange, toSpan } from '../lsp.ts';
import { runInSlices } from '../slices.ts';
import { ownFeature, type Feature, type FeatureHost } from './feature.ts';
import { messageLanguage } from '../../../core/catalog/languages.ts';

/** The cost of messages in every protocol. */
export const cost: Feature = {
  name: 'cost',
  capabilities: () => ({}),
  register(host) {
    const known = new Answers<CostResult>();
    host.connection.onRequest<unknown, void>(COST.method, (params: unknown, token: CancellationToken) => {
      if (!COST.isParams(params)) return FAILED;
      const { uri } = params.source;
      const work = { feature: 'cost', ...(uri !== undefined && { uri }) };
      return guardRequest<CostResult, void>(host, work, FAILED, token, async () => {
        const document = uri === undefined ? undefined : host.documents.find(uri)?.document;
        if (uri !== undefined && !document)
          return refuse('The document is in no language of Parley, or was closed');
        const answer = (): Promise<CostResult | undefined> => compare(host, params, document, token);
        return (await known.get(document, params, answer)) ?? FAILED;
      });
    });
  },
};

/** Cached titles of messages, by document. */
const TITLES = new Answers<string>();

/** The cost of the message at a cursor. */
export const tokens = ownFeature({
  name: 'tokens',
  request: TOKENS,
  neutral: null,
  async answer({ document, version }, { position, encoding }, host, token) {
    const offset = toOffset(document, position);
    const span = messagesAt(document, { start: offset, end: offset });
    const count = span && (await countSpan(host, document, { span, encoding }, token));
    if (!count) return null;
    const title = await TITLES.get(document, span, () => Promise.resolve(titleOf(document, span)));
    return { version, range: toRange(document, span), title: title ?? '', ...count };
  },
});

function refuse(reason: string): CostResult {
  return { ok: false, reason };
}

const FAILED = refuse('The cost could not be found out: see the log of Parley');

async function compare(
  host: FeatureHost,
  { source, encoding: name }: CostParams,
  document: OpenDocument | undefined,
  token: CancellationToken,
): Promise<CostResult | undefined> {
  const encoding = await loadEncoding(host, name).catch(describeFailure);
  if (typeof encoding === 'string') return refuse(encoding);
  const within = document && source.range && messagesAt(document, toSpan(document, source.range));
  if (source.range && !within) return refuse('There is no message in the selection');
  const text = document
    ? document.plainText().slice(within?.start ?? 0, within?.end ?? document.text.length)
    : (source.text ?? '');
  const from = source.from ?? messageLanguage(document?.language);
  const tools = document?.tools(within);
  const work = costTable(text, {
    protocols: ALL_MESSAGES,
    name,
    encoding,
    from,
    tools,
    now: () => host.runtime.now(),
  });
  const table = await runInSlices(host, work, token);
  return table && { ok: true, table };
}

function describeFailure(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Tokens cannot be counted here, because the encoding could not be loaded: ${reason}`;
}

/** The tool that a message calls, or else its kind. */
function titleOf(document: OpenDocument, { start, end }: Span): string {
  const text = document.plainText().slice(start, end);
  const { messages } = readMessages(text, {
    protocols: ALL_MESSAGES,
    from: messageLanguage(document.language),
    report: new Report(),
  });
  const message = messages[0]?.message;
  return textIn(message?.fields.tool) ?? message?.kind ?? 'message';
}
