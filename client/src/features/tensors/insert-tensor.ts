import {
  EndOfLine,
  InputBoxValidationSeverity,
  workspace,
  type InputBoxValidationMessage,
  type QuickPickItem,
  type Range,
  type TextDocument,
} from 'vscode';
import { DTYPES, findDtype, type DtypeName } from '../../../../core/catalog/dtypes.ts';
import { fillTensor, findShapeProblem, type Fill } from '../../../../tensor/fill.ts';
import { parseShapeInput, type ParsedShapeInput } from '../../../../tensor/reshape.ts';
import { showBytes } from '../../../../tensor/size-words.ts';
import { countElements, elementSize, type Tensor, type TensorResult } from '../../../../tensor/tensor.ts';
import { countOf } from '../../../../core/text/count.ts';
import { writeValue, type Wrapping } from '../../tensor/value-text.ts';
import { askText, pickItem } from '../../window/sinks/quick-input.ts';
import { replaceText } from '../../window/replace-text.ts';

/** A new tensor: fill, type and shape, the last two as typed. */
export interface NewTensor {
  readonly fill: FillName;
  readonly dtype: string;
  readonly shape: string;
}

export const FILLS = [
  { label: 'Zeros', detail: 'Every element is 0.', fill: 'zeros' },
  { label: 'Ones', detail: 'Every element is 1.', fill: 'ones' },
  {
    label: 'Random',
    detail: 'Floats between 0 and 1, integers of their whole range, bools true or false.',
    fill: 'random',
  },
] as const satisfies readonly (QuickPickItem & { readonly fill: string })[];

export type FillName = (typeof FILLS)[number]['fill'];

/**
 * The maximum size of an inserted tensor. Its text is a quarter larger, and VS Code does not report documents
 * over 50 MiB to extensions.
 */
const MAX_INSERTED = 32 * 1024 * 1024;

/** Creates a new tensor, or returns why that is impossible. */
export function makeTensor({ fill, dtype: name, shape: text }: NewTensor): TensorResult {
  const dtype = findDtype(name)?.name;
  if (!dtype) return { kind: 'fault', problem: `${name} is not a data type of a tensor` };
  const shape = readNewShape(dtype, text);
  return shape.kind === 'ok' ? fillTensor(toFill(fill), dtype, shape.shape) : shape;
}

function toFill(fill: FillName): Fill {
  return fill === 'random'
    ? { kind: 'random', seed: crypto.getRandomValues(new Uint32Array(1))[0] ?? 0 }
    : { kind: fill };
}

function readNewShape(dtype: DtypeName, text: string): ParsedShapeInput {
  const parsed = parseShapeInput(text);
  if (parsed.kind === 'fault') return parsed;
  const problem =
    findShapeProblem(dtype, parsed.shape) ??
    findSizeProblem(countElements(parsed.shape) * elementSize(dtype));
  return problem === undefined ? parsed : { kind: 'fault', problem };
}

function findSizeProblem(bytes: number): string | undefined {
  return bytes > MAX_INSERTED
    ? `${showBytes(bytes)} are too much for a message: tensors of up to ${showBytes(MAX_INSERTED)} are inserted`
    : undefined;
}

/** Asks for type and shape of a new tensor. Returns undefined if the user cancels. */
export async function askForNew(fill: FillName): Promise<NewTensor | undefined> {
  const picked = await pickItem(
    DTYPES.map(({ name, summary }) => ({ label: name, description: summary, name })),
    { title: 'Data type of the tensor', matchOnDescription: true },
  );
  if (!picked) return undefined;
  const shape = await askText({
    title: `Shape of the ${picked.name} tensor`,
    prompt: 'The sizes of its axes, such as 2, 3. Nothing is a single value.',
    value: '2, 3',
    validateInput: text => describeNew(picked.name, text),
  });
  return shape === undefined ? undefined : { fill, dtype: picked.name, shape };
}

function describeNew(dtype: DtypeName, text: string): string | InputBoxValidationMessage {
  const found = readNewShape(dtype, text);
  if (found.kind === 'fault') return found.problem;
  const count = countElements(found.shape);
  const message = `${countOf(count, 'element')}, ${showBytes(count * elementSize(dtype))}`;
  return { message, severity: InputBoxValidationSeverity.Info };
}

/**
 * Writes a tensor as a value in place of a range, as one undoable edit. A long payload is wrapped as by the
 * formatter. Returns a sentence if nothing was written.
 */
export async function insertTensor(
  document: TextDocument,
  range: Range,
  tensor: Tensor,
): Promise<string | undefined> {
  const problem = findSizeProblem(tensor.bytes.length);
  if (problem !== undefined) return `${problem}.`;
  const text = writeValue(tensor, findWrapping(document, range));
  const isDone = await replaceText(document.uri, range, text);
  return isDone ? undefined : 'The document takes no edit now, so nothing was inserted.';
}

/** The wrapping of the formatter at this position; undefined if it does not wrap. */
function findWrapping(document: TextDocument, { start }: Range): Wrapping | undefined {
  const format = workspace.getConfiguration('parley.aicl.format', document);
  if (format.get('style') === 'compact') return undefined;
  const { text, firstNonWhitespaceCharacterIndex: depth } = document.lineAt(start.line);
  const indent = text.slice(0, Math.min(depth, start.character));
  const after = (document.eol === EndOfLine.CRLF ? '\r\n' : '\n') + indent;
  return { width: format.get('payloadWidth', DEFAULT_WIDTH), before: after + findStep(document), after };
}

const DEFAULT_WIDTH = 120;

/** One level of indentation with the editor's settings. */
function findStep(document: TextDocument): string {
  const editor = workspace.getConfiguration('editor', document);
  if (editor.get('insertSpaces') === false) return '\t';
  return ' '.repeat(editor.get('tabSize', 2));
}
