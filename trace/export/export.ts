import type { TraceFormat } from './trace-formats.ts';
import type { SliceTurns } from '../../core/text/slices.ts';
import { exportAio } from './aio.ts';
import { exportCsv } from './csv.ts';
import { exportHar } from './har.ts';
import { exportMarkdown } from './markdown.ts';
import { exportMermaid } from './mermaid.ts';
import { exportOtlp } from './otlp.ts';
import { exportOwn } from './own.ts';
import type { ExportSource } from './source.ts';
import { exportTotals } from './totals.ts';

const EXPORTS: Readonly<Record<TraceFormat, (source: ExportSource) => AsyncGenerator<string, void>>> = {
  agenttrace: exportOwn,
  aio: exportAio,
  otlp: exportOtlp,
  har: exportHar,
  mermaid: exportMermaid,
  markdown: exportMarkdown,
  csv: exportCsv,
  totals: exportTotals,
};

/** Exports traces in a format, in pieces; payloads are read call by call. */
export function exportTrace(format: TraceFormat, source: ExportSource): AsyncGenerator<string, void> {
  return EXPORTS[format](source);
}

/** The same as one text; with `turns`, it yields between pieces. */
export async function exportTraceText(
  format: TraceFormat,
  source: ExportSource,
  turns?: SliceTurns,
): Promise<string> {
  const parts: string[] = [];
  for await (const part of exportTrace(format, source)) {
    parts.push(part);
    if (turns?.isDue === true) await turns.yield();
  }
  return parts.join('');
}
