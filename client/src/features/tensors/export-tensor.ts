import { workspace, type QuickPickItem, type Uri } from 'vscode';
import type { FileFormat } from '../../../../tensor/files/file-format.ts';
import { FILE_FORMATS, findFormat } from '../../../../tensor/files/file-formats.ts';
import { sliceTensor, type AxisRange } from '../../../../tensor/slice.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';
import { showWarning } from '../../window/messages.ts';
import { askToSave, saveFile } from '../../window/save-file.ts';
import type { TensorSource } from './source.ts';
import { trimOf } from '../../../../core/text/trim.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';

/** The options of an export. Missing ones are asked for. */
export interface ExportChoice {
  /** A part of each axis; undefined for the whole tensor. */
  readonly part?: readonly AxisRange[];
  /** The target file; its ending determines the format. */
  readonly target?: Uri;
}

/**
 * Saves a tensor to a file and returns its URI. Returns undefined if it was not saved, after a warning unless
 * the user cancelled.
 */
export async function exportTensor(
  source: TensorSource,
  { part, target }: ExportChoice,
): Promise<Uri | undefined> {
  const { subject, content } = await source.read();
  const made = content.kind === 'ok' && part ? sliceTensor(content.tensor, part) : content;
  if (made.kind === 'fault') return showWarning(made.problem);
  const name = subject.name;
  const format = target ? findFormat(target.path) : await askForFormat(made.tensor);
  if (!format) return target && showWarning(`No array format is known for ${target.path}.`);
  const written = format.write([{ name, tensor: made.tensor }]);
  if (written.kind === 'fault') return showWarning(written.problem);
  const uri = target ?? (await askForTarget(format, name));
  if (!uri) return undefined;
  const saved = `Saved ${workspace.asRelativePath(uri)}.`;
  return saveFile(uri, written.bytes, [saved, ...written.notes].join(' '));
}

async function askForFormat(tensor: Tensor): Promise<FileFormat | undefined> {
  const items: (QuickPickItem & { readonly format: FileFormat })[] = FILE_FORMATS.map(format => ({
    label: format.title,
    description: format.endings[0] ?? '',
    format,
  }));
  const shape = tensor.shape.length === 0 ? 'single value' : tensor.shape.join('×');
  const title = `Export ${tensor.dtype} ${shape} as`;
  return (await pickItem(items, { title, matchOnDescription: true }))?.format;
}

function askForTarget({ title, endings }: FileFormat, name: string): Thenable<Uri | undefined> {
  const filters = { [title]: endings.map(ending => ending.slice(1)) };
  return askToSave(`${fileNameOf(name)}${endings[0] ?? ''}`, { title: 'Export tensor', filters });
}

/** A file name for a tensor, without ending. An unnamed tensor of a file has that file's name. */
function fileNameOf(name: string): string {
  const ending = findFormat(name)?.endings.find(known => name.toLowerCase().endsWith(known)) ?? '';
  const stem = name.slice(0, name.length - ending.length);
  return trimOf(stem.replace(/[^\p{L}\p{N}._-]+/gu, '-'), '.-') || 'tensor';
}
