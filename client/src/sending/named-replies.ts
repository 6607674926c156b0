import type { Uri } from 'vscode';
import type { NamedReply } from '../../../language/variables/reply-value.ts';

/** The last reply to each named request of this window, for variables such as `{{login.data.token}}`. */
export class NamedReplies {
  readonly #replies = new Map<string, NamedReply>();

  /** Stores the reply to a request with `# @name` in a file. */
  set(file: Uri, name: string, reply: NamedReply): void {
    this.#replies.set(keyOf(file, name), reply);
  }

  find(file: Uri, name: string): NamedReply | undefined {
    return this.#replies.get(keyOf(file, name));
  }
}

function keyOf(file: Uri, name: string): string {
  return JSON.stringify([file.toString(), name]);
}
