import { findCredential } from '../../aicf/call.ts';
import { encodeField } from '../../aicf/codec.ts';
import { readLine } from '../../aicf/parse.ts';
import type { AicfCommandName, AicfTypeName } from '../../catalog/aicf.ts';
import { MESSAGE_FIELDS, type MessageField, type MessageKind } from '../../catalog/message-kinds.ts';
import type { ToolDeclaration } from '../../language/tools.ts';
import type { Message } from '../../message/message.ts';
import { dictValue, findEntry, isSameValue, textIn, type Value } from '../../message/value.ts';
import { tellDropped } from './dropped.ts';
import { lostFields, writeAicfError } from './error.ts';
import { readDeclared } from './reader.ts';
import { writeArgument, writeChunk, writeData } from './value.ts';
import { findTool, hasNames, placeArguments } from '../tools/arguments.ts';
import { takeError, type ErrorFields } from '../errors/errors.ts';
import { takeFailure } from '../errors/failure.ts';
import { Members } from '../members.ts';
import { joinPath } from '../report.ts';
import type { Conversion } from '../shape.ts';
import type { TextSink } from '../text/text-layer.ts';
import { declarationValue, readArguments } from '../tools/tool-schema.ts';

/**
 * Writes a message as a line of AICF-RPC with its line end. AICF has no place for what it does not know, so each such
 * field is told as a loss, and so is each value that reading the line gives back otherwise.
 */
export function writeAicfMessage(message: Message, conversion: Conversion, sink: TextSink): void {
  const fields = new Members<MessageField>(
    dictValue(MESSAGE_FIELDS.map(key => ({ key, value: message.fields[key] }))),
  );
  new LineWriter(fields, conversion, sink).write(message.kind);
  for (const { key, value } of fields.entries()) tellDropped(key, value, conversion);
}

/** A field of a line before it is written: raw, with the value that it carries. */
interface RawField {
  readonly raw: string;
  readonly value?: Value | undefined;
}

class LineWriter {
  readonly #fields: Members<MessageField>;
  readonly #conversion: Conversion;
  readonly #sink: TextSink;

  constructor(fields: Members<MessageField>, conversion: Conversion, sink: TextSink) {
    this.#fields = fields;
    this.#conversion = conversion;
    this.#sink = sink;
  }

  write(kind: MessageKind): void {
    switch (kind) {
      case 'call':
        return this.#writeCall();
      case 'list':
        return this.#line('LIST', []);
      case 'describe':
        return this.#line('INFO', this.#toolField());
      case 'error':
        return this.#writeError();
      case 'chunk':
        return this.#writeChunk();
      case 'end':
        return this.#line('END', []);
      case 'result':
        return this.#writeResult();
      case 'value':
        this.#lose('moved', '', 'AICF has no bare values; it is written as the data of a reply');
        return this.#writeResult();
      case 'task':
      case 'query':
      case 'negotiate':
        return this.#writeNearest(kind);
    }
  }

  #lose(kind: 'dropped' | 'moved' | 'guessed', path: string, told: string, value?: Value): void {
    this.#conversion.report.lose(kind, path, told, value);
  }

  #line(command: AicfCommandName, fields: readonly RawField[]): void {
    const { places } = this.#sink;
    this.#sink.write(command);
    for (const { raw, value } of fields) {
      this.#sink.write('|');
      const start = this.#sink.length;
      this.#sink.write(raw);
      if (value) places?.set(value, { start, end: this.#sink.length });
    }
    this.#sink.write('\n');
  }

  /** The tool of a request; a name that is no text cannot be written. */
  #toolField(): readonly RawField[] {
    const tool = this.#fields.take('tool');
    const name = textIn(tool);
    if (name !== undefined) return [{ raw: encodeField(name), value: tool }];
    if (tool) this.#lose('dropped', 'tool', 'The name of a tool is a text in AICF', tool);
    return [];
  }

  #writeCall(): void {
    const given = this.#fields.take('arguments');
    const declared = findTool(this.#conversion.tools, this.#fields.peek('tool'));
    const tool = this.#toolField();
    const written = this.#writeArguments(given, declared);
    if (!given && tool.length > 0)
      this.#lose('guessed', 'arguments', 'AICF cannot tell no arguments from an empty list of them');
    const isNameless = tool.length === 0 && given !== undefined;
    if (isNameless) this.#lose('guessed', 'tool', 'A call in AICF names its tool; the empty name is a guess');
    const line = [...(isNameless ? [{ raw: '' }] : tool), ...written];
    this.#tellCredential(line);
    this.#line('CALL', line);
  }

  #writeArguments(given: Value | undefined, tool: ToolDeclaration | undefined): readonly RawField[] {
    if (given && given.kind !== 'dict' && given.kind !== 'list')
      this.#lose(
        'moved',
        'arguments',
        'Arguments that are neither named nor listed are written as one',
        given,
      );
    const items = placeArguments(given, tool, this.#conversion);
    const isList = given?.kind === 'list';
    const isNamed = tool && hasNames(tool) && items.length <= tool.arguments.length;
    if (isList && (items.length === 0 || isNamed))
      this.#lose(
        'moved',
        'arguments',
        'Arguments by place come back by the names that the tool declares',
        given,
      );
    return items.map((value, index) => {
      const declared = tool?.arguments[index];
      const type = declared?.type ?? 'any';
      if (!value) return this.#gap(type, declared?.name ?? '');
      const key = given?.kind === 'dict' && declared ? declared.name : index;
      // An empty field of arguments by place is read as null.
      if (!isNamed && value.kind === 'null' && !hasEmptyText(type)) return { raw: '', value };
      return this.#writeArgument(value, type, joinPath('arguments', key));
    });
  }

  #gap(type: AicfTypeName, name: string): RawField {
    if (hasEmptyText(type))
      this.#lose(
        'guessed',
        joinPath('arguments', name),
        'The argument is not given, but others stand after it; it is written empty, which is the empty text',
      );
    return { raw: '' };
  }

  #writeArgument(value: Value, type: AicfTypeName, path: string): RawField {
    const { raw, isSame } = writeArgument(value, type);
    if (!isSame) this.#lose('moved', path, describeArgument(value, type), value);
    return { raw, value };
  }

  /** An argument that looks like a credential would be taken for one. */
  #tellCredential(fields: readonly RawField[]): void {
    if (!fields.at(-1)?.raw.startsWith('AUTH:') || fields.length < 2) return;
    const line = `CALL|${fields.map(field => field.raw).join('|')}`;
    if (findCredential(line, readLine(line)) !== undefined)
      this.#lose(
        'moved',
        'arguments',
        "The last argument begins with 'AUTH:', which AICF takes for a credential",
        fields.at(-1)?.value,
      );
  }

  #writeError(): void {
    const failure = takeFailure(this.#fields);
    if (failure) return this.#line('OK', [{ raw: writeData(failure), value: failure }]);
    const error = takeError(this.#fields);
    for (const name of lostFields(error)) this.#tellLostError(name, error);
    const { code, message } = writeAicfError(error);
    const fields: RawField[] = [];
    if (code !== undefined || message !== undefined)
      fields.push({ raw: encodeField(code ?? ''), value: error.code });
    if (message !== undefined) fields.push({ raw: encodeField(message), value: error.text });
    return this.#line('ERR', fields);
  }

  #tellLostError(name: keyof ErrorFields, error: ErrorFields): void {
    const value = error[name];
    const hasDetail = error.data?.kind === 'text' && textIn(error.protocol) === 'aicl';
    // The message is the text and the detail, which is told of the detail.
    if (name === 'text' && hasDetail && value?.kind === 'text') return;
    if (name === 'data' && hasDetail)
      this.#lose(
        'moved',
        name,
        'AICF has no place for the detail of an error; it stands in the message',
        value,
      );
    else if (value)
      this.#lose(
        'dropped',
        name,
        `An error in AICF is a code and a message; its ${name} does not fit`,
        value,
      );
    else this.#lose('guessed', name, `The error has no ${name}, and AICF cannot leave it out`);
  }

  #writeChunk(): void {
    const aside = ASIDE.get(textIn(this.#fields.peek('event')) ?? '');
    if (aside !== undefined) {
      const event = this.#fields.take('event');
      const data = this.#fields.take('data') ?? this.#fields.take('content');
      // Who joins the parts of a stream would have it in the answer.
      this.#lose('dropped', '', `A stream in AICF is the text of an answer, so ${aside}`, data ?? event);
      return;
    }
    const name = (['data', 'content'] as const).find(field => this.#fields.peek(field) !== undefined);
    const data = name && this.#fields.take(name);
    if (!data) {
      this.#lose('dropped', '', 'A part of a stream without data has no line in AICF');
      return;
    }
    const { raw, isSame } = writeChunk(data);
    if (name !== 'data')
      this.#lose('moved', name, `A part of a stream in AICF has only data; its ${name} stands there`, data);
    else if (!isSame) this.#lose('moved', name, 'A part of a stream is a text in AICF', data);
    this.#line('STREAM', [{ raw, value: data }]);
  }

  #writeResult(): void {
    const fields = this.#fields;
    const [tools, declaration] = [fields.peek('tools'), fields.peek('declaration')];
    if (fields.peek('data') === undefined && tools?.kind === 'list') {
      fields.take('tools');
      this.#writeTools(tools, tools.items);
    } else if (fields.peek('data') === undefined && declaration?.kind === 'dict') {
      fields.take('declaration');
      this.#writeDeclaration(declaration);
    } else this.#writeData();
  }

  #writeData(): void {
    const name = (['data', 'content', 'items'] as const).find(
      field => this.#fields.peek(field) !== undefined,
    );
    const data = name && this.#fields.take(name);
    if (!data) {
      this.#lose('guessed', 'data', 'The result has no data, which AICF writes as null');
      this.#line('OK', []);
      return;
    }
    if (name !== 'data')
      this.#lose('moved', name, `A result in AICF has only data; its ${name} stands there`, data);
    else if (isFailureLike(data))
      this.#lose('moved', 'data', 'A result with success:false is a failed call', data);
    this.#line('OK', data.kind === 'null' ? [] : [{ raw: writeData(data), value: data }]);
  }

  #writeTools(list: Value, tools: readonly Value[]): void {
    const names = tools.map(tool => textIn(findEntry(tool, 'name')) ?? textIn(tool));
    for (const [index, tool] of tools.entries()) this.#tellTool(tool, joinPath('tools', index));
    const [only] = names;
    if (names.length === 1 && only === '')
      this.#lose('dropped', 'tools', 'A tool without a name cannot be listed alone', list);
    this.#line(
      'TOOLS',
      names.map((name, index) => ({ raw: encodeField(name ?? ''), value: tools[index] })),
    );
  }

  #tellTool(tool: Value, path: string): void {
    const name = findEntry(tool, 'name');
    const isNamed = name?.kind === 'text';
    if (isNamed && tool.kind === 'dict' && tool.entries.length === 1) return;
    const others = tool.kind === 'dict' ? tool.entries.filter(({ key }) => key !== 'name' || !isNamed) : [];
    if (others.length === 0) this.#lose('moved', path, 'A list of tools in AICF holds their names', tool);
    for (const { key, value } of others)
      this.#lose(
        'dropped',
        joinPath(path, key),
        'A list of tools in AICF holds nothing but their names',
        value,
      );
  }

  #writeDeclaration(declaration: Value): void {
    const name = textIn(findEntry(declaration, 'name')) ?? '';
    const description = textIn(findEntry(declaration, 'description'));
    const declared = readArguments(declaration) ?? [];
    const raws = declared.map(
      ({ name: own, type, isOptional }) => `${encodeField(own)}:${encodeField(type)}${isOptional ? '?' : ''}`,
    );
    const back = declarationValue(
      name,
      description === '' ? undefined : description,
      raws.flatMap(raw => readDeclared(raw) ?? []),
    );
    if (!isSameValue(back, declaration)) this.#tellDeclaration(declaration, back);
    const hasMore = description !== undefined || raws.length > 0;
    this.#line('TOOL', [
      { raw: encodeField(name), value: declaration },
      ...(hasMore ? [{ raw: encodeField(description ?? '') }] : []),
      ...raws.map(raw => ({ raw })),
    ]);
  }

  #tellDeclaration(declaration: Value, back: Value): void {
    const entries = declaration.kind === 'dict' ? declaration.entries : [];
    const lost = entries.filter(({ key, value }) => {
      const same = findEntry(back, key);
      return !same || !isSameValue(same, value);
    });
    for (const { key, value } of lost)
      this.#lose(
        'dropped',
        joinPath('declaration', key),
        'A tool in AICF has a name, a description and arguments as name and type; the rest of this does not fit',
        value,
      );
    if (lost.length === 0)
      this.#lose(
        'moved',
        'declaration',
        'The parts of the declaration stand in the order of AICF',
        declaration,
      );
  }

  /** What AICF has no command for is a call of a tool by that name, with what it says as its arguments. */
  #writeNearest(kind: 'task' | 'query' | 'negotiate'): void {
    this.#lose(
      'moved',
      '',
      `AICF has no ${kind}; it is written as a call of a tool '${kind}', which the agent may not have`,
    );
    const names = ['task', 'items', 'query', 'supported'] as const;
    const name = names.find(field => this.#fields.peek(field) !== undefined);
    const value = name && this.#fields.take(name);
    const said = value ? [{ raw: writeArgument(value, 'any').raw, value }] : [];
    this.#line('CALL', [{ raw: kind }, ...said]);
  }
}

/** What a part of a stream tells that is no text of the answer. */
const ASIDE: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'a part of the reasoning is left out'],
  ['arguments', "a part of a call's arguments is left out"],
]);

/** True for the types of which an empty field is the empty text; of others it is absent. */
function hasEmptyText(type: AicfTypeName): boolean {
  return type === 'string' || type === 'any';
}

function isFailureLike(data: Value): boolean {
  const success = findEntry(data, 'success');
  return success?.kind === 'bool' && !success.bool;
}

function describeArgument(value: Value, type: AicfTypeName): string {
  const kind = KIND_WORDS[value.kind];
  if (type === 'any') return `AICF has no type for this argument, so ${kind} is read otherwise here`;
  return `The tool declares ${type}, and as that ${kind} is read otherwise`;
}

const KIND_WORDS: Readonly<Record<Value['kind'], string>> = {
  text: 'this text',
  int: 'an integer',
  float: 'a number',
  bool: 'a truth value',
  null: 'null',
  tensor: 'a tensor',
  list: 'this list',
  dict: 'this dictionary',
};
