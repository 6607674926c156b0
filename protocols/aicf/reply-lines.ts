import { escapeField } from '../../language/aicf/codec.ts';
import { findEntry, textIn, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../message/same-value.ts';
import { detailOf, type ErrorFields } from '../errors/errors.ts';
import { findFailure } from '../errors/failure.ts';
import { joinPath } from '../../core/message/report.ts';
import { declarationValue, readArguments } from '../tools/tool-schema.ts';
import { lostFields, writeAicfError } from './error.ts';
import type { LineWriter, RawField } from './line-writer.ts';
import { readDeclared } from './reader.ts';
import { writeChunk, writeData, type ReplyNumbers } from './value.ts';

/** Writes an error; one that was read from data with `success:false` is written as such data. */
export function writeErrorLine(lines: LineWriter): void {
  const { fields } = lines;
  const error: ErrorFields = {
    protocol: fields.take('protocol'),
    code: fields.take('code'),
    text: fields.take('text'),
    data: fields.take('data'),
  };
  const failure = findFailure(error);
  if (failure) return lines.write('OK', [{ raw: writeData(failure), value: failure }]);
  for (const name of lostFields(error, lines.conversion.protocols)) reportLostError(lines, name, error);
  const { code, message } = writeAicfError(error, lines.conversion.protocols);
  const raws: RawField[] = [];
  if (code !== undefined || message !== undefined)
    raws.push({ raw: escapeField(code ?? ''), value: error.code });
  if (message !== undefined) raws.push({ raw: escapeField(message), value: error.text });
  return lines.write('ERR', raws);
}

function numbersOf({ conversion }: LineWriter): ReplyNumbers {
  return conversion.numbers === 'exact' ? 'written' : 'digits';
}

function reportLostError(lines: LineWriter, name: keyof ErrorFields, error: ErrorFields): void {
  const value = error[name];
  const hasDetail = detailOf(error, lines.conversion.protocols) !== undefined;
  // The detail is part of the message and is reported as `data`.
  if (name === 'text' && hasDetail && value?.kind === 'text') return;
  if (name === 'data' && hasDetail)
    lines.lose(
      'moved',
      name,
      'AICF has no place for the detail of an error; it is written in the message',
      value,
    );
  else if (value)
    lines.lose('dropped', name, `An error in AICF is a code and a message; its ${name} does not fit`, value);
  else lines.lose('guessed', name, `The error has no ${name}, and AICF cannot leave it out`);
}

/** Writes a part of a stream as a line of text; reports parts that are not text of the answer. */
export function writeChunkLine(lines: LineWriter): void {
  const aside = ASIDE.get(textIn(lines.fields.peek('event')) ?? '');
  if (aside !== undefined) {
    const event = lines.fields.take('event');
    const data = lines.fields.take('data') ?? lines.fields.take('content');
    // A reader that joins the parts would get it as text of the answer.
    lines.lose('dropped', '', `A stream in AICF is the text of an answer, so ${aside}`, data ?? event);
    return;
  }
  const name = (['data', 'content'] as const).find(field => lines.fields.peek(field) !== undefined);
  const data = name && lines.fields.take(name);
  if (!data) {
    lines.lose('dropped', '', 'A part of a stream without data has no line in AICF');
    return;
  }
  const { raw, isSame } = writeChunk(data, numbersOf(lines));
  if (name !== 'data')
    lines.lose('moved', name, `A part of a stream in AICF has only data; its ${name} is written there`, data);
  else if (!isSame) lines.lose('moved', name, 'A part of a stream is a text in AICF', data);
  lines.write('STREAM', [{ raw, value: data }]);
}

/** Writes the reply to a request: data, a list of tools, or one tool. */
export function writeResultLine(lines: LineWriter): void {
  const fields = lines.fields;
  const [tools, declaration] = [fields.peek('tools'), fields.peek('declaration')];
  if (fields.peek('data') === undefined && tools?.kind === 'list') {
    fields.take('tools');
    writeToolsLine(lines, tools, tools.items);
  } else if (fields.peek('data') === undefined && declaration?.kind === 'dict') {
    fields.take('declaration');
    writeDeclarationLine(lines, declaration);
  } else writeDataLine(lines);
}

function writeDataLine(lines: LineWriter): void {
  const name = (['data', 'content', 'items'] as const).find(field => lines.fields.peek(field) !== undefined);
  const data = name && lines.fields.take(name);
  if (!data) {
    lines.lose('guessed', 'data', 'The result has no data, which AICF writes as null');
    lines.write('OK', []);
    return;
  }
  if (name !== 'data')
    lines.lose('moved', name, `A result in AICF has only data; its ${name} is written there`, data);
  else if (isFailureLike(data))
    lines.lose('moved', 'data', 'A result with success:false is a failed call', data);
  lines.write('OK', data.kind === 'null' ? [] : [{ raw: writeData(data, numbersOf(lines)), value: data }]);
}

function writeToolsLine(lines: LineWriter, list: Value, tools: readonly Value[]): void {
  const names = tools.map(tool => textIn(findEntry(tool, 'name')) ?? textIn(tool));
  for (const [index, tool] of tools.entries()) reportTool(lines, tool, joinPath('tools', index));
  const [only] = names;
  if (names.length === 1 && only === '')
    lines.lose('dropped', 'tools', 'A tool without a name cannot be listed alone', list);
  lines.write(
    'TOOLS',
    names.map((name, index) => ({ raw: escapeField(name ?? ''), value: tools[index] })),
  );
}

function reportTool(lines: LineWriter, tool: Value, path: string): void {
  const name = findEntry(tool, 'name');
  const isNamed = name?.kind === 'text';
  if (isNamed && tool.kind === 'dict' && tool.entries.length === 1) return;
  const others = tool.kind === 'dict' ? tool.entries.filter(({ key }) => key !== 'name' || !isNamed) : [];
  if (others.length === 0) lines.lose('moved', path, 'A list of tools in AICF holds their names', tool);
  for (const { key, value } of others)
    lines.lose(
      'dropped',
      joinPath(path, key),
      'A list of tools in AICF holds nothing but their names',
      value,
    );
}

function writeDeclarationLine(lines: LineWriter, declaration: Value): void {
  const name = textIn(findEntry(declaration, 'name')) ?? '';
  const description = textIn(findEntry(declaration, 'description'));
  const declared = readArguments(declaration) ?? [];
  const raws = declared.map(
    ({ name: own, type, isOptional }) => `${escapeField(own)}:${escapeField(type)}${isOptional ? '?' : ''}`,
  );
  const back = declarationValue(
    name,
    description === '' ? undefined : description,
    raws.flatMap(raw => readDeclared(raw) ?? []),
  );
  if (!isSameValue(back, declaration)) reportDeclaration(lines, declaration, back);
  const hasMore = description !== undefined || raws.length > 0;
  lines.write('TOOL', [
    { raw: escapeField(name), value: declaration },
    ...(hasMore ? [{ raw: escapeField(description ?? '') }] : []),
    ...raws.map(raw => ({ raw })),
  ]);
}

function reportDeclaration(lines: LineWriter, declaration: Value, back: Value): void {
  const entries = declaration.kind === 'dict' ? declaration.entries : [];
  const lost = entries.filter(({ key, value }) => {
    const same = findEntry(back, key);
    return !same || !isSameValue(same, value);
  });
  for (const { key, value } of lost)
    lines.lose(
      'dropped',
      joinPath('declaration', key),
      'A tool in AICF has a name, a description and arguments as name and type; the rest of this does not fit',
      value,
    );
  if (lost.length === 0)
    lines.lose(
      'moved',
      'declaration',
      'The parts of the declaration are written in the order of AICF',
      declaration,
    );
}

/** Events that are not text of the answer, with the end of the sentence that reports their loss. */
const ASIDE: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'a part of the reasoning is left out'],
  ['arguments', "a part of a call's arguments is left out"],
]);

function isFailureLike(data: Value): boolean {
  const success = findEntry(data, 'success');
  return success?.kind === 'bool' && !success.bool;
}
