import {
  fieldSource,
  fieldText,
  isContainerLine,
  type AicfLine,
  findCredential,
} from '../../language/aicf/ast.ts';
import { decodeField } from '../../language/aicf/codec.ts';
import { lookUp, collectTools, NO_TOOLS, type KnownTools } from '../../language/aicf/file-tools.ts';
import { listLines, type PlacedLine, parseAicf, readLine } from '../../language/aicf/parse.ts';
import type { AicfCommandName } from '../../core/catalog/aicf.ts';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { joinTables, type ToolDeclaration, type ToolTable } from '../../language/tools.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  dictValue,
  listValue,
  textValue,
  type Entry,
  type TextValue,
  type Value,
} from '../../core/values/value.ts';
import { SharedAtoms } from '../../core/values/shared-atoms.ts';
import { quote } from '../../core/text/quote.ts';
import { SliceMeter } from '../../core/text/slices.ts';
import { meetsSpan, type Span } from '../../core/text/span.ts';
import type { MessageProtocols } from '../protocol.ts';
import { readAicfError } from './error.ts';
import { readArgument, readData, type FieldValue } from './value.ts';
import { hasNames } from '../tools/arguments.ts';
import { readFailure } from '../errors/failure.ts';
import type { Conversion, MessageOfLine } from '../message/shape.ts';
import { FaultList } from '../../language/values/fault-list.ts';
import type { PartOptions, Places } from '../../language/values/text-layer.ts';
import { declarationValue, type SchemaArgument } from '../tools/tool-schema.ts';

/**
 * Reads a text of AICF-RPC, one message a line. Arguments get the types and names that `TOOL` lines in the text or the
 * known tools declare; those of other tools become a list. A line without a message is a fault. Total, and linear.
 * In slices, except for finding the lines: passes each message on at once, and returns the faults.
 */
export function* aicfMessageSteps(
  text: string,
  conversion: Conversion,
  { places, within, first = 0 }: PartOptions,
  take: (found: MessageOfLine) => void,
): Generator<undefined, FaultList> {
  const meter = new SliceMeter();
  const doc = parseAicf(text, DEFAULT_SETTINGS);
  if (doc.dialect === 'context') return contextFile(text);
  const tools = collectTools(doc);
  const reader = new LineReader(conversion);
  let wanted = first;
  for (const line of listLines(doc)) {
    const { start, tree } = line;
    const isWanted = !within || meetsSpan({ start: start + tree.word.start, end: start + tree.end }, within);
    conversion.report.begin(isWanted ? wanted : undefined);
    const found = reader.read(line, lookUp(doc, tools, line.number), isWanted ? places : undefined);
    if (found) take(found);
    if (found && isWanted) wanted++;
    if (meter.isFull(line.start)) yield;
  }
  return reader.faults;
}

/** Reads a line as a message; data of a reply may have line ends. `path` is its place, for what cannot be read. */
export function readAicfLine(text: string, path: string, conversion: Conversion): Message | undefined {
  const reader = new LineReader(conversion);
  const line = { number: 0, start: 0, text, tree: readLine(text) };
  const found = reader.read(line, NO_TOOLS, undefined);
  for (const { kind, message: reported, span } of reader.faults)
    conversion.report.loseText(kind, path, reported, span);
  return found?.message;
}

function contextFile(text: string): FaultList {
  const reported = 'This is a memory file of AI Context Format, which holds no messages of AICF-RPC';
  const faults = new FaultList();
  faults.push({ span: { start: 0, end: text.length }, kind: 'dropped', message: reported });
  return faults;
}

class LineReader {
  readonly faults = new FaultList();
  readonly #conversion: Conversion;
  readonly #shared = new SharedAtoms();
  /** The tools of a file joined with the known ones. */
  readonly #joined = new Map<KnownTools, ToolTable>();

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
  }

  /** The message of a line; undefined if there is none. */
  read(line: PlacedLine, own: KnownTools, places: Places | undefined): MessageOfLine | undefined {
    const { tree, text, start } = line;
    if (isContainerLine(tree)) return undefined;
    const span = { start: start + tree.word.start, end: start + tree.end };
    if (tree.command === undefined) {
      this.faults.push({ span, kind: 'dropped', message: describeForeign(text, tree) });
      return undefined;
    }
    const fields = new LineFields(line, { faults: this.faults, places, shared: this.#shared });
    const found = this.#readCommand(tree.command, fields, own);
    fields.reportRest();
    if (fields.isUnescaped)
      this.#conversion.report.note('JSON that its sender did not escape was read as written');
    const tools = tree.command === 'CALL' ? this.#toolsOf(own) : undefined;
    return { message: found, span, tools };
  }

  #readCommand(command: AicfCommandName, fields: LineFields, own: KnownTools): Message {
    switch (command) {
      case 'CALL': {
        const tool = fields.text(0);
        const declared = tool && this.#toolsOf(own).tools.get(tool.text);
        return message('call', { tool, arguments: fields.arguments(declared) });
      }
      case 'LIST':
        return message('list', {});
      case 'INFO':
        return message('describe', { tool: fields.text(0) });
      case 'OK':
        return readResult(fields.data());
      case 'ERR':
        return message('error', { ...fields.error(this.#conversion.protocols) });
      case 'TOOLS':
        return message('result', { tools: listValue(fields.names()) });
      case 'TOOL':
        return message('result', { declaration: fields.declaration() });
      case 'STREAM':
        return message('chunk', { data: fields.text(0) ?? textValue('') });
      case 'END':
        return message('end', {});
    }
  }

  #toolsOf(own: KnownTools): ToolTable {
    const known = this.#joined.get(own) ?? joinTables([own, this.#conversion.tools]);
    this.#joined.set(own, known);
    return known;
  }
}

function describeForeign(text: string, tree: AicfLine): string {
  // Further fields may hold a credential, so only the first one is quoted.
  const shown = quote(text.slice(tree.word.start, tree.word.end));
  return tree.kind === 'command'
    ? `AICF-RPC 1.0 has no command ${shown}, so the line was left out`
    : `The line begins with no command of AICF-RPC, so it was left out: ${shown}`;
}

function readResult(data: Value): Message {
  const failure = readFailure(data);
  return failure ? message('error', { ...failure }) : message('result', { data });
}

/** The maximum number of unused fields of a line that are reported one by one. */
const MAX_REST = 100;

/** The fields of one line, taken in order. */
class LineFields {
  readonly #line: PlacedLine;
  readonly #faults: FaultList;
  readonly #places: Places | undefined;
  readonly #shared: SharedAtoms;
  readonly #end: number;
  #next = 0;
  isUnescaped = false;

  constructor(
    line: PlacedLine,
    {
      faults,
      places,
      shared,
    }: {
      readonly faults: FaultList;
      readonly places: Places | undefined;
      readonly shared: SharedAtoms;
    },
  ) {
    this.#line = line;
    this.#faults = faults;
    this.#places = places;
    this.#shared = shared;
    const credential = isRequest(line.tree) ? findCredential(line.text, line.tree) : undefined;
    this.#end = credential ?? line.tree.pipes.length;
    if (credential !== undefined)
      this.#faults.push({
        span: this.#spanOf(credential),
        kind: 'dropped',
        message:
          'The credential at the end of the request is not an argument and is not carried; it belongs in a header',
      });
  }

  /** The text of a field; undefined if the line has no such field. */
  text(index: number): TextValue | undefined {
    if (index >= this.#end) return undefined;
    this.#next = Math.max(this.#next, index + 1);
    return this.#place(textValue(fieldText(this.#line.text, this.#line.tree, index)), index);
  }

  /** The arguments: by name if the tool declares all of them, else by position. */
  arguments(tool: ToolDeclaration | undefined): Value | undefined {
    const first = 1;
    const count = Math.max(0, this.#end - first);
    const isNamed = count === 0 || (tool && hasNames(tool) && count <= tool.arguments.length);
    const entries: Entry[] = [];
    const items: Value[] = [];
    for (let place = 0; place < count; place++) {
      const declared = tool?.arguments[place];
      const value = this.#value(first + place, raw => readArgument(raw, declared?.type ?? 'any'));
      items.push(value ?? { kind: 'null' });
      if (value && declared) entries.push({ key: declared.name, value });
    }
    this.#next = Math.max(this.#next, this.#end);
    if (isNamed) return this.#end === 0 ? undefined : dictValue(entries);
    return listValue(items);
  }

  /** The data of `OK`; null if the line has none. */
  data(): Value {
    return (this.#end === 0 ? undefined : this.#value(0, readData)) ?? { kind: 'null' };
  }

  error(protocols: MessageProtocols): ReturnType<typeof readAicfError> {
    return readAicfError({ code: this.text(0)?.text, message: this.text(1)?.text }, protocols);
  }

  /** The tools of a `TOOLS` line; a single empty name means none. */
  names(): readonly Value[] {
    const names: Value[] = [];
    const isEmpty = this.#end === 1 && this.text(0)?.text === '';
    for (let index = 0; index < this.#end && !isEmpty; index++)
      names.push(dictValue([{ key: 'name', value: this.text(index) }]));
    return names;
  }

  /** The tool of a `TOOL` line. An empty description or argument counts as absent. */
  declaration(): Value {
    const name = this.text(0)?.text ?? '';
    const description = this.text(1)?.text ?? '';
    const declared: SchemaArgument[] = [];
    for (; this.#next < this.#end; this.#next++) {
      const argument = readDeclared(this.#raw(this.#next));
      if (argument) declared.push(argument);
    }
    return declarationValue(name, description === '' ? undefined : description, declared);
  }

  /** Reports the fields that were not read. */
  reportRest(): void {
    const command = this.#line.tree.command ?? 'The line';
    const single = Math.min(this.#end, this.#next + MAX_REST);
    for (let index = this.#next; index < single; index++)
      this.#faults.push({
        span: this.#spanOf(index),
        kind: 'dropped',
        message: `${command} takes no such field, so ${quote(this.#raw(index))} was left out`,
      });
    if (single === this.#end) return;
    const span = { start: this.#spanOf(single).start, end: this.#spanOf(this.#end - 1).end };
    const message = `${command} takes no such fields, so ${this.#end - single} more fields of the line were left out`;
    this.#faults.push({ span, kind: 'dropped', message });
  }

  #value(index: number, read: (raw: string) => FieldValue): Value | undefined {
    const { value, faults, isUnescaped } = read(this.#raw(index));
    this.#next = Math.max(this.#next, index + 1);
    this.isUnescaped ||= isUnescaped === true;
    // The position of a fault within the field is lost when escapes are decoded.
    for (const fault of faults) this.#faults.push({ ...fault, span: this.#spanOf(index) });
    if (!value || this.#places) return value && this.#place(value, index);
    return this.#shared.share(value);
  }

  #place<Placed extends Value>(value: Placed, index: number): Placed {
    this.#places?.set(value, this.#spanOf(index));
    return value;
  }

  #raw(index: number): string {
    return fieldSource(this.#line.text, this.#line.tree, index);
  }

  #spanOf(index: number): Span {
    const { tree, start } = this.#line;
    const pipe = tree.pipes[index] ?? tree.end;
    return { start: start + pipe + 1, end: start + (tree.pipes[index + 1] ?? tree.end) };
  }
}

function isRequest({ command }: AicfLine): boolean {
  return command === 'CALL' || command === 'LIST' || command === 'INFO';
}

/** Reads the declaration of an argument: the type follows the last `:`, and a `?` at the end marks it optional. */
export function readDeclared(raw: string): SchemaArgument | undefined {
  if (raw === '') return undefined;
  const isOptional = raw.endsWith('?');
  const end = raw.length - (isOptional ? 1 : 0);
  const colon = raw.lastIndexOf(':', end - 1);
  if (colon === -1 || end === 0)
    return { name: decodeField(raw.slice(0, end), 'response'), type: 'any', isOptional };
  return {
    name: decodeField(raw.slice(0, colon), 'response'),
    type: decodeField(raw.slice(colon + 1, end), 'response'),
    isOptional,
  };
}
