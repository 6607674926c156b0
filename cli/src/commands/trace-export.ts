import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DEFAULT_ENCODING } from '../../../core/catalog/costs.ts';
import { TRACE_FORMATS, findTraceFormat } from '../../../trace/export/trace-formats.ts';
import { exportTrace } from '../../../trace/export/export.ts';
import { loadEncoding } from '../../../tokenizers/load.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import { openTraces, reportLost } from '../traces/open-traces.ts';
import { HEADER_OPTION, postTraces } from '../traces/servers.ts';
import { onlyPath, type Command } from './command.ts';

const NAMES = TRACE_FORMATS.map(({ name }) => name);

/** `parley trace export`: the traces of a file in another format. */
export const exportTraces: Command = {
  name: 'trace export',
  usage: 'FILE --to FORMAT',
  summary: 'Writes the traces of a file in another format.',
  options: [
    {
      name: 'to',
      value: NAMES.join('|'),
      values: NAMES,
      summary: 'The format of an export.',
    },
    { name: 'out', value: 'FILE', summary: 'The file that takes the export; it is replaced.' },
    {
      name: 'post',
      value: 'URL',
      summary: 'A collector of OpenTelemetry that gets the spans, with --to otlp; nothing is printed then.',
    },
    HEADER_OPTION,
    {
      name: 'content',
      summary: 'Spans include requests and replies, with --to otlp; otherwise they are left out.',
    },
  ],
  async run(terminal, line) {
    const path = onlyPath('trace export', line);
    const format = findTraceFormat(line.option('to') ?? '')?.name;
    if (!format) throw new UsageError(`'parley trace export' needs --to with one of ${NAMES.join(', ')}`);
    const post = line.option('post');
    const includesContent = line.has('content');
    if (includesContent && format !== 'otlp') throw new UsageError("--content goes with '--to otlp'");
    if (post !== undefined && (format !== 'otlp' || line.option('out') !== undefined))
      throw new UsageError("--post goes with '--to otlp' and without --out");
    const opened = await openTraces(terminal, path);
    if (!opened) return EXIT.findings;
    const { trees, lost } = opened;
    // The agenttrace format has one line per event, so a call can have any length.
    const payload = format === 'agenttrace' ? lost.payload : lost.beginning;
    if (post !== undefined) {
      const code = await postTraces(terminal, line, post, {
        trees,
        payload,
        protocols: ALL_PROTOCOLS,
        includesContent,
      });
      return reportLost(terminal, opened) ? code : EXIT.findings;
    }
    const out = line.option('out');
    if (out !== undefined && (await isSameFile(terminal, path, out)))
      throw new UsageError(`'${out}' is the file that is exported; name another file with --out`);
    const encoding = format === 'totals' ? await loadEncoding(DEFAULT_ENCODING) : undefined;
    const countTexts =
      encoding && (async (texts: readonly string[]) => texts.map(text => encoding.count(text).tokens));
    const parts = exportTrace(format, {
      trees,
      payload,
      protocols: ALL_PROTOCOLS,
      countTexts,
      includesContent,
    });
    if (out === undefined)
      for await (const part of parts) {
        terminal.out(part);
        await terminal.settle();
      }
    else await writeParts(terminal, out, parts);
    return reportLost(terminal, opened) ? EXIT.fine : EXIT.findings;
  },
};

/** True if both paths are the same file. The trace file is read during the export, so it must not be overwritten. */
async function isSameFile({ cwd }: Terminal, path: string, out: string): Promise<boolean> {
  const files = [path, out].map(name => stat(resolve(cwd, name), { bigint: true }).catch(() => undefined));
  const [read, written] = await Promise.all(files);
  return read !== undefined && read.ino === written?.ino && read.dev === written.dev;
}

/** Writes the parts to a file. Throws a UsageError if it cannot be written. */
async function writeParts(terminal: Terminal, out: string, parts: AsyncIterable<string>): Promise<void> {
  const file = await writing(out, open(resolve(terminal.cwd, out), 'w'));
  try {
    for await (const part of parts) await writing(out, file.appendFile(part));
  } finally {
    await writing(out, file.close());
  }
}

async function writing<Result>(out: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`'${out}' cannot be written (${code}); name another file with --out`);
  }
}
