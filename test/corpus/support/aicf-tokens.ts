import type { Span } from '../../../core/text/span.ts';
import type { SampleToken } from './damage.ts';

/** A line that is no container line. */
export interface SampleLine extends Span {
  readonly command: string;
  readonly tokens: readonly SampleToken[];
}

/** A line, or the lines of one stream. */
export interface SampleMessage extends Span {
  readonly lines: readonly SampleLine[];
}

/** The lines of valid AICF with their tokens, found apart from the project's own readers: command, delimiters, fields. */
export function listAicfLines(text: string): readonly SampleLine[] {
  return [...text.matchAll(/^[A-Z].*$/gm)].map(({ 0: line, index: start }) => {
    const [command = ''] = /^[A-Z]+/.exec(line) ?? [];
    const tokens = [{ name: command, start, end: start + command.length }];
    for (const { 0: source, index } of line.slice(command.length).matchAll(/\||(?:\\.|[^|])+/g)) {
      const from = start + command.length + index;
      tokens.push({ name: source === '|' ? '|' : 'field', start: from, end: from + source.length });
    }
    return { command, tokens, start, end: start + line.length };
  });
}

/** The lines, those of a stream up to its end together. */
export function listAicfMessages(text: string): readonly SampleMessage[] {
  const messages: SampleMessage[] = [];
  let stream: SampleLine[] = [];
  for (const line of listAicfLines(text)) {
    stream.push(line);
    if (line.command === 'STREAM') continue;
    const [{ start } = line] = stream;
    messages.push({ lines: stream, start, end: line.end });
    stream = [];
  }
  return messages;
}
