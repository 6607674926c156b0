import type { Member } from '../../../wire/inspector-messages.ts';
import { buildSelect, setOptions } from '../shared/select.ts';
import { describeMember } from './members.ts';

/** A selector for the tensors of a file. Hidden if there is only one, unless that one has a problem. */
export class MembersView {
  readonly #onPick: (member: string) => void;
  readonly root = buildSelect([], () => this.#onPick(this.root.value));

  constructor(onPick: (member: string) => void) {
    this.#onPick = onPick;
    this.root.ariaLabel = 'Tensor of the file';
    this.root.classList.add('members');
    this.root.hidden = true;
  }

  update(members: readonly Member[], shown: string): void {
    setOptions(
      this.root,
      members.map(member => ({
        value: member.name,
        label: describeMember(member),
        isDisabled: member.problem !== undefined,
      })),
    );
    this.root.value = shown;
    this.root.hidden = members.length < 2 && members[0]?.problem === undefined;
  }
}
