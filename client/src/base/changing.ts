import { EventEmitter } from 'vscode';
import { Owner } from './dispose.ts';

/** A class whose objects own disposables, and fire an event when they change. */
export abstract class Changing<Change = void> extends Owner {
  protected readonly changed = this.own(new EventEmitter<Change>());

  readonly onDidChange = this.changed.event;
}
