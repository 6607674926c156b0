import { Component } from 'preact';
import { h, type Content, type View } from './view.ts';

interface FoldProps {
  readonly class: string;
  readonly summary: Content;
  /** Builds the content, which is in the page only while the fold is open. */
  readonly content: () => Content;
  readonly style?: string;
  /** Opens the fold when this becomes true; the user can still close it. */
  readonly isWanted?: boolean;
  /** True for the fold that the page may scroll to. */
  readonly isMarked?: boolean;
}

interface FoldState {
  readonly isOpen: boolean;
  readonly wasWanted: boolean;
}

/** A line with content below it that the user opens and closes. */
export class Fold extends Component<FoldProps, FoldState> {
  override state: FoldState = { isOpen: false, wasWanted: false };

  static override getDerivedStateFromProps({ isWanted = false }: FoldProps, state: FoldState): FoldState {
    return { isOpen: state.isOpen || (isWanted && !state.wasWanted), wasWanted: isWanted };
  }

  override render(
    { class: name, summary, content, style, isMarked }: FoldProps,
    { isOpen }: FoldState,
  ): View {
    const onToggle = (event: Event): void => {
      if (event.currentTarget instanceof HTMLDetailsElement)
        this.setState({ isOpen: event.currentTarget.open });
    };
    return h(
      'details',
      { class: name, style, open: isOpen, 'data-marked': isMarked || undefined, onToggle },
      h('summary', {}, summary),
      isOpen ? content() : undefined,
    );
  }
}
