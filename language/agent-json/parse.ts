import type { Settings } from '../../core/catalog/settings.ts';
import { SourceText } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import { scanJson, type JsonFault } from '../json/json-scanner.ts';
import { JsonBuilder, type JsonValue } from '../json/json-tree.ts';
import type { ParsedText } from '../support.ts';
import { NO_AGENT_TOOLS, type AgentTools } from '../tools.ts';
import type { WorkCounter } from '../work.ts';
import { removeComments } from './comments.ts';
import { NO_SCHEMAS, type SchemasByProtocol } from './schemas.ts';

/** A value at the top level of a file. */
export interface TopValue extends Span {
  /** Undefined where there are only brackets or commas that belong to no value. */
  readonly root: JsonValue | undefined;
  readonly fault: JsonFault | undefined;
}

/** A `//` comment that is alone on its line, without the blanks before it. */
export interface CommentLine extends Span {
  readonly text: string;
}

/** A file with requests as JSON with comments: values, each an object or an array of objects. */
export interface AgentJsonDocument extends ParsedText {
  /** The whole text as one string. */
  readonly source: string;
  readonly plain: string;
  readonly json: string;
  readonly comments: readonly Span[];
  readonly lines: readonly CommentLine[];
  readonly values: readonly TopValue[];
  /** The tools that agents reported. */
  readonly others: AgentTools;
  /** What is known of the requests of each protocol. */
  readonly schemas: SchemasByProtocol;
}

/** Parses a file. Never fails; linear in the text. `work` counts the tokens. */
export function parseAgentJson(
  source: string,
  settings: Settings,
  schemas: SchemasByProtocol = NO_SCHEMAS,
  work: WorkCounter = { count: 0 },
): AgentJsonDocument {
  const uncommented = removeComments(source);
  return {
    ...uncommented,
    source,
    text: SourceText.of(source),
    settings,
    lines: uncommented.comments.flatMap(span => readLine(source, span)),
    values: readValues(uncommented.json, work),
    others: NO_AGENT_TOOLS,
    schemas,
  };
}

/** The comment if it is alone on its line. A line has one `//` comment at most, so the search is linear. */
function readLine(source: string, { start, end }: Span): readonly CommentLine[] {
  if (!source.startsWith('//', start)) return [];
  let at = start;
  while (/[ \t]/.test(source.charAt(at - 1))) at--;
  return /[\r\n\ufeff]|^$/.test(source.charAt(at - 1))
    ? [{ start, end, text: source.slice(start, end) }]
    : [];
}

/** The values at the top level, in order. */
function readValues(json: string, work: WorkCounter): readonly TopValue[] {
  const found: TopValue[] = [];
  let builder = new JsonBuilder(json.length);
  let start = -1;
  const close = (end: number): void => {
    const { root, fault } = builder;
    if (start >= 0) found.push({ start, end, root, fault });
    builder = new JsonBuilder(json.length);
    start = -1;
  };
  for (const token of scanJson(json)) {
    work.count++;
    if (token.kind === 'end') {
      if (start < 0) break;
      builder.add(token);
      close(json.trimEnd().length);
      break;
    }
    if (start < 0) start = token.start;
    builder.add(token);
    if (builder.root && builder.frames.length === 0) close(token.end);
  }
  return found;
}
