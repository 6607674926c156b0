import { CONVERSIONS, type ConversionName } from '../../core/catalog/conversions.ts';
import { convertText } from '../../protocols/convert/convert.ts';
import { readMessages } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { writeMessages } from '../../protocols/convert/write-text.ts';
import type { ToolTable } from '../../language/tools.ts';
import type { Message } from '../../core/message/message.ts';
import { code, page, table } from './markdown-parts.ts';
import type { ReferencePage } from './reference.ts';
import { SAMPLE_BY_PLACE, SAMPLE_MESSAGES, SAMPLE_TOOL, SAMPLES_UNSENDABLE } from './sample-messages.ts';

const NO_TOOLS: ToolTable = { isComplete: false, tools: new Map() };

/** What every protocol can carry of every other one, found by converting one message of each kind. */
export const CONVERSIONS_PAGE: ReferencePage = { name: 'conversions', print: printConversions };

/** What converting a protocol into another one costs: what the report says, once each. */
interface Pair {
  readonly from: ConversionName;
  readonly to: ConversionName;
  /** Without a schema of the tools. */
  readonly losses: readonly string[];
  readonly lossesWithSchema: readonly string[];
  /** Of texts that AICL cannot send. */
  readonly unsendable: readonly string[];
  readonly notes: readonly string[];
}

function printConversions(): string {
  const pairs = CONVERSIONS.flatMap(({ name: from }) =>
    CONVERSIONS.filter(({ name }) => name !== from).map(({ name: to }) => convertSamples(from, to)),
  );
  const find = (from: ConversionName, to: ConversionName): Pair | undefined =>
    pairs.find(pair => pair.from === from && pair.to === to);
  return page(
    '# Conversions',
    'What becomes of a message of one protocol in another one, found by converting one message of each kind and one value of each kind there. `lossless`: nothing is reported, and converting back gives a message that means the same. `schema`: the same where the tool is declared. `lossy`: some messages lose something; why stands below. A star: but for carriage returns and halves of surrogate pairs in texts. Every loss is reported where it happens.',
    table(
      ['from \\ to', ...CONVERSIONS.map(row => row.short)],
      CONVERSIONS.map(({ name: from, short }) => [
        short,
        ...CONVERSIONS.map(({ name: to }) => (from === to ? '' : judge(find(from, to)))),
      ]),
    ),
    '## Why',
    ...CONVERSIONS.map(({ name: to, title }) =>
      printReasons(
        title,
        pairs.filter(pair => pair.to === to),
      ),
    ),
  );
}

function judge(pair: Pair | undefined): string {
  if (!pair || pair.lossesWithSchema.length > 0) return 'lossy';
  const word = pair.losses.length > 0 ? 'schema' : 'lossless';
  return pair.unsendable.length > 0 ? `${word} *` : word;
}

/** The reasons for losses in a protocol and what else is to be known of it, each with the protocols that it concerns. */
function printReasons(title: string, pairs: readonly Pair[]): string {
  const sources = new Map<string, string[]>();
  for (const { from, losses, lossesWithSchema, unsendable, notes } of pairs) {
    const reasons = losses.map(reason =>
      lossesWithSchema.includes(reason) ? reason : `${reason} (not with a schema)`,
    );
    for (const reason of [...reasons, ...unsendable, ...notes])
      sources.set(reason, [...(sources.get(reason) ?? []), from]);
  }
  if (sources.size === 0) return `### To ${title}\n\nNothing is lost.`;
  const lines = [...sources].map(([reason, names]) => {
    const from = names.length === pairs.length ? 'any' : names.map(code).join(', ');
    return [from, reason];
  });
  return `### To ${title}\n\n${table(['from', 'what'], lines)}`;
}

function convertSamples(from: ConversionName, to: ConversionName): Pair {
  const { tools } = readMessages(SAMPLE_TOOL, { report: new Report() });
  const samples = from === 'aicf' ? [SAMPLE_BY_PLACE, ...SAMPLE_MESSAGES] : SAMPLE_MESSAGES;
  const { losses, notes } = listTold(from, to, NO_TOOLS, samples);
  return {
    from,
    to,
    losses,
    lossesWithSchema: listTold(from, to, tools, samples).losses,
    unsendable: listTold(from, to, NO_TOOLS, SAMPLES_UNSENDABLE).losses,
    notes,
  };
}

/** What the report says of the samples that the first protocol can say. */
function listTold(
  from: ConversionName,
  to: ConversionName,
  tools: ToolTable,
  samples: readonly (readonly Message[])[],
): Pick<Pair, 'losses' | 'notes'> {
  const losses = new Set<string>();
  const notes = new Set<string>();
  for (const messages of samples) {
    const text = sayIn(from, messages, tools);
    if (!hasSameKinds(messages, readMessages(text, { from, tools, report: new Report() }).messages)) continue;
    const told = convertText(text, { from, to, tools });
    for (const { kind, message } of told.losses) losses.add(`${kind}: ${message}`);
    for (const { message } of told.notes) notes.add(`note: ${message}`);
  }
  return { losses: [...losses], notes: [...notes] };
}

/** False for messages that the protocol writes as messages of another kind. */
function hasSameKinds(messages: readonly Message[], read: readonly { readonly message: Message }[]): boolean {
  return messages.length === read.length && messages.every(({ kind }, at) => read[at]?.message.kind === kind);
}

function sayIn(protocol: ConversionName, messages: readonly Message[], tools: ToolTable): string {
  const source = {
    messages: messages.map(message => ({ message, protocol, span: { start: 0, end: 0 } })),
    tools,
  };
  return writeMessages(source, { to: protocol, layout: 'pretty', report: new Report() }).text;
}
