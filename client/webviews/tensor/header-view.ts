import type { AxisRange } from '../../../tensor/slice.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import { countElements, type Tensor } from '../../../tensor/tensor.ts';
import { countOf } from '../../../core/text/count.ts';
import type { FromInspector, Member, Subject } from '../../../wire/inspector-messages.ts';
import { Button, Select } from '../shared/buttons.ts';
import { StatusIcon } from '../shared/icons.ts';
import { MenuButton, type MenuItem } from '../shared/menu.ts';
import { h, type View } from '../shared/view.ts';
import { describeMember } from './members.ts';

interface HeaderProps {
  readonly subject: Subject;
  readonly tensor: Tensor | undefined;
  /** The tensors of the file, and the name of the shown one. */
  readonly members: readonly Member[];
  readonly member: string;
  /** The problem of the tensor. */
  readonly problem: string | undefined;
  /** The reason why a comparison ended. */
  readonly notice: string | undefined;
  readonly post: (message: FromInspector) => void;
  /** The selected part of each axis; undefined if less than two cells are selected. */
  readonly selectedPart: () => readonly AxisRange[] | undefined;
}

/** The header: name and type of the tensor, its location, the available actions, and its problem. */
export function Header(props: HeaderProps): View {
  const { subject, tensor, members, problem, notice, post } = props;
  // The selector is left out for a single tensor, unless that one has a problem.
  const hasChoice = members.length > 1 || members[0]?.problem !== undefined;
  return h(
    'header',
    { class: 'header' },
    h(
      'div',
      { class: 'title-line bar wraps' },
      hasChoice ? buildMembers(props) : h('span', { class: 'name' }, subject.name),
      h('span', { class: 'facts muted' }, tensor ? describeTensor(tensor) : ''),
    ),
    h(Button, {
      class: 'link place muted',
      title: 'Show in the document',
      label: subject.place,
      onClick: () => post({ type: 'reveal' }),
    }),
    tensor && buildActions(props),
    problem !== undefined &&
      h(
        'div',
        { class: 'problem-line', role: 'status' },
        h(StatusIcon, { status: 'error' }),
        h(
          'div',
          {},
          `Invalid: ${problem} `,
          tensor ? h('span', { class: 'muted' }, 'What you see is the tensor as it was before.') : '',
        ),
      ),
    notice !== undefined && h('p', { class: 'notice muted', role: 'status' }, notice),
  );
}

function buildMembers({ members, member, post }: HeaderProps): View {
  const options = members.map(each => ({
    value: each.name,
    label: describeMember(each),
    isDisabled: each.problem !== undefined,
  }));
  const onChoose = (chosen: string): void => post({ type: 'pick', member: chosen });
  return h(Select, {
    class: 'members',
    'aria-label': 'Tensor of the file',
    options,
    value: member,
    onChoose,
  });
}

function buildActions({ subject, problem, post, selectedPart }: HeaderProps): View {
  const edit = (label: string, change: 'reshape' | 'cast' | 'slice'): MenuItem => ({
    label,
    onChoose: () => post({ type: 'edit', change }),
  });
  const listExports = (): readonly MenuItem[] => {
    const part = selectedPart();
    return [
      { label: 'Tensor…', onChoose: () => post({ type: 'export' }) },
      {
        label: 'Selected cells…',
        onChoose: () => part && post({ type: 'export', part }),
        ...(part ? {} : { disabled: 'Select more than one cell of the grid first' }),
      },
    ];
  };
  const edits = [edit('Reshape…', 'reshape'), edit('Cast to another type…', 'cast'), edit('Slice…', 'slice')];
  return h(
    'div',
    { class: 'actions bar wraps' },
    h(MenuButton, { label: 'Export', items: listExports }),
    h(Button, { label: 'Compare…', onClick: () => post({ type: 'compare' }) }),
    subject.canEdit && problem === undefined && h(MenuButton, { label: 'Edit', items: () => edits }),
  );
}

function describeTensor(tensor: Tensor): string {
  const elements = countOf(countElements(tensor.shape), 'element');
  const shape = tensor.shape.length === 0 ? '' : ` ${tensor.shape.join('×')}`;
  return [`${tensor.dtype}${shape}`, elements, showBytes(tensor.bytes.length), 'row-major'].join(' · ');
}
