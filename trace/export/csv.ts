import type { CallNode } from '../fold/tree.ts';
import { printRow } from './csv-cells.ts';
import { callerOf, walkCalls, type ExportSource } from './source.ts';

/** The columns, with the value of each. Texts may contain foreign input, numbers cannot. */
const COLUMNS: readonly (readonly [
  name: string,
  value: (node: CallNode, trace: string) => string | number | undefined,
])[] = [
  ['trace', (_, trace) => trace],
  ['call', ({ call }) => call.call],
  ['parent', ({ parent }) => parent?.call.call],
  ['parentage', ({ parentage }) => parentage],
  ['depth', ({ depth }) => depth],
  ['caller', node => callerOf(node)],
  ['agent', ({ call }) => call.agent],
  ['protocol', ({ call }) => call.protocol],
  ['title', ({ call }) => call.title],
  ['status', ({ status }) => status],
  ['code', ({ code }) => code],
  ['message', ({ message }) => message],
  ['start_ms', ({ call }) => call.at],
  ['duration_ms', ({ duration }) => duration],
  ['first_reply_ms', ({ call, traffic }) => traffic.firstInAt && traffic.firstInAt - call.at],
  ['input_tokens', ({ usage }) => usage?.input],
  ['output_tokens', ({ usage }) => usage?.output],
  ['cached_tokens', ({ usage }) => usage?.cached],
  ['reasoning_tokens', ({ usage }) => usage?.reasoning],
  ['model', ({ usage }) => usage?.model],
  ['bytes_out', ({ traffic }) => traffic.bytesOut],
  ['bytes_in', ({ traffic }) => traffic.bytesIn],
  ['session', ({ call }) => call.session],
  ['cycle', ({ cycle }) => cycle?.join(' > ')],
  ['notes', ({ notes }) => notes.join('\n')],
];

/** Exports traces as CSV, one row for each call, with times in milliseconds. */
export async function* exportCsv(source: ExportSource): AsyncGenerator<string, void> {
  yield await Promise.resolve(printRow(COLUMNS.map(([name]) => name)));
  for (const tree of source.trees)
    for (const node of walkCalls([tree])) yield printRow(COLUMNS.map(([, value]) => value(node, tree.trace)));
}
