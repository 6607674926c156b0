import {
  EventEmitter,
  FileSystemError,
  type Disposable,
  type FileChangeEvent,
  type FileType,
  type Uri,
} from 'vscode';
import { Owner } from '../base/dispose.ts';

/** Files that are values of messages: there are no folders, and no file is created, renamed or deleted. */
export abstract class ValueFiles extends Owner {
  protected readonly changed = this.own(new EventEmitter<FileChangeEvent[]>());

  readonly onDidChangeFile = this.changed.event;

  watch(): Disposable {
    return { dispose: () => undefined };
  }

  readDirectory(): [string, FileType][] {
    return [];
  }

  createDirectory = refuse;
  delete = refuse;
  rename = refuse;
}

export function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
