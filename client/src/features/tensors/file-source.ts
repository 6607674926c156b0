import type { TensorResult } from '../../../../tensor/tensor.ts';
import type { ReadRange } from '../../base/read-file.ts';
import { commands, RelativePattern, Uri, workspace } from 'vscode';
import type { Member, Subject } from '../../../../wire/inspector-messages.ts';
import { Changing } from '../../base/changing.ts';
import { describeError } from '../../base/log.ts';
import { Throttle } from '../../base/throttle.ts';
import { openArrayFile, type ArrayFile } from './array-file.ts';
import type { TensorReading, TensorSource } from './source.ts';

type Opened = Awaited<ReturnType<typeof openArrayFile>>;

/** A tensor of a file, which is read again after changes. */
export class FileSource extends Changing implements TensorSource {
  readonly uri: Uri;
  readonly #readRange: ReadRange | undefined;
  readonly #throttle = this.own(new Throttle(() => this.changed.fire()));
  /** The chosen tensor; undefined for the first readable one. */
  #member: string | undefined;
  /** The tensor that was last read. */
  #shown: string | undefined;
  #opened: Promise<Opened> | undefined;

  constructor(uri: Uri, readRange: ReadRange | undefined, member?: string) {
    super();
    this.uri = uri;
    this.#readRange = readRange;
    this.#member = member;
    // Watches the whole folder, because a file name may contain pattern characters.
    const folder = Uri.joinPath(uri, '..');
    const watcher = this.own(workspace.createFileSystemWatcher(new RelativePattern(folder, '*')));
    const onEvent = (changed: Uri): void => {
      if (changed.toString() !== uri.toString()) return;
      this.#opened = undefined;
      this.#throttle.request();
    };
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.own(event(onEvent));
  }

  /** The tensors of the file, or a sentence with the reason why there are none. */
  async listMembers(): Promise<readonly Member[] | string> {
    const file = await this.#open();
    return file.kind === 'ok' ? file.members : file.problem;
  }

  async read(): Promise<TensorReading> {
    const file = await this.#open();
    if (file.kind === 'fault') return { subject: this.#subject(this.#member ?? '', []), content: file };
    const { members, notes } = file;
    const chosen = this.#member ?? (members.find(member => member.problem === undefined) ?? members[0])?.name;
    this.#shown = chosen;
    const subject = this.#subject(chosen ?? '', notes);
    const content = await readChosen(file, chosen);
    return { subject, content, ...(isSeveral(members) && { members }) };
  }

  /** True if it shows a tensor of a file. */
  shows(uri: Uri, member: string): boolean {
    return this.uri.toString() === uri.toString() && (this.#shown ?? this.#member) === member;
  }

  pick(member: string): void {
    this.#member = member;
    this.changed.fire();
  }

  async reveal(): Promise<void> {
    await commands.executeCommand('revealInExplorer', this.uri);
  }

  #open(): Promise<Opened> {
    return (this.#opened ??= openArrayFile(this.uri, this.#readRange));
  }

  #subject(member: string, notes: readonly string[]): Subject {
    return {
      id: `${this.uri.toString()}#${member}`,
      name: member || (this.uri.path.split('/').at(-1) ?? ''),
      place: [workspace.asRelativePath(this.uri), ...notes].join(' · '),
      canEdit: false,
    };
  }
}

async function readChosen(file: ArrayFile, member: string | undefined): Promise<TensorResult> {
  if (member === undefined) return { kind: 'fault', problem: 'The file holds no tensor.' };
  try {
    return await file.readTensor(member);
  } catch (error) {
    return { kind: 'fault', problem: `The file cannot be read: ${describeError(error)}` };
  }
}

/** A file with a single unnamed tensor offers no choice. */
function isSeveral(members: readonly Member[]): boolean {
  return members.length > 1 || members.some(({ name }) => name !== '');
}
