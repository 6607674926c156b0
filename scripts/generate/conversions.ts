import { ALL_PROTOCOLS } from '../../protocols/all.ts';
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

/** The reference page of conversion losses between all protocols, determined by converting sample messages. */
export const CONVERSIONS_PAGE: ReferencePage = { name: 'conversions', print: printConversions };

/** The distinct report messages of converting one protocol to another. */
interface Pair {
  readonly from: ConversionName;
  readonly to: ConversionName;
  /** Without a schema of the tools. */
  readonly losses: readonly string[];
  readonly lossesWithSchema: readonly string[];
  /** The losses for texts that AICL cannot represent. */
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
    'What becomes of a message of one protocol in another. Parley converts one message of each kind and one value of each kind to fill this table. `lossless`: nothing is reported, and converting back gives a message with the same meaning. `schema`: lossless if the tool is declared. `lossy`: some messages lose something; the reasons are listed below. A star means: except for carriage returns and lone surrogates in texts. Every loss is reported where it occurs.',
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

/** The reasons for losses in a target protocol, and its notes, each with the source protocols that it applies to. */
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
  const { tools } = readMessages(SAMPLE_TOOL, { protocols: ALL_PROTOCOLS, report: new Report() });
  const samples = from === 'aicf' ? [SAMPLE_BY_PLACE, ...SAMPLE_MESSAGES] : SAMPLE_MESSAGES;
  const { losses, notes } = listReported(from, to, NO_TOOLS, samples);
  return {
    from,
    to,
    losses,
    lossesWithSchema: listReported(from, to, tools, samples).losses,
    unsendable: listReported(from, to, NO_TOOLS, SAMPLES_UNSENDABLE).losses,
    notes,
  };
}

/** The losses and notes of converting the samples that the source protocol can express. */
function listReported(
  from: ConversionName,
  to: ConversionName,
  tools: ToolTable,
  samples: readonly (readonly Message[])[],
): Pick<Pair, 'losses' | 'notes'> {
  const losses = new Set<string>();
  const notes = new Set<string>();
  for (const messages of samples) {
    const text = sayIn(from, messages, tools);
    if (
      !hasSameKinds(
        messages,
        readMessages(text, { protocols: ALL_PROTOCOLS, from, tools, report: new Report() }).messages,
      )
    )
      continue;
    const reported = convertText(text, { protocols: ALL_PROTOCOLS, from, to, tools });
    for (const { kind, message } of reported.losses) losses.add(`${kind}: ${message}`);
    for (const { message } of reported.notes) notes.add(`note: ${message}`);
  }
  return { losses: [...losses], notes: [...notes] };
}

/** False if the protocol writes one of the messages as another kind. */
function hasSameKinds(messages: readonly Message[], read: readonly { readonly message: Message }[]): boolean {
  return messages.length === read.length && messages.every(({ kind }, at) => read[at]?.message.kind === kind);
}

function sayIn(protocol: ConversionName, messages: readonly Message[], tools: ToolTable): string {
  const source = {
    messages: messages.map(message => ({ message, protocol, span: { start: 0, end: 0 } })),
    tools,
  };
  return writeMessages(source, {
    protocols: ALL_PROTOCOLS,
    to: protocol,
    layout: 'pretty',
    report: new Report(),
  }).text;
}
