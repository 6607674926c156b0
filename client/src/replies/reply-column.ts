import { ViewColumn, window } from 'vscode';
import { currentSettings } from '../base/settings.ts';

/** Pages that are narrower are hard to read; half of a window of about 1,000 pixels is. */
const NARROW = 420;

/** Two pages of this width fit beside each other. */
const WIDE = 2 * NARROW;

/** The width that open pages of replies last had: VS Code does not report the width of its window. */
let isNarrow = false;

/** The group in which a reply opens. */
export function chooseReplyColumn(): ViewColumn {
  const column = currentSettings()['replies.column'];
  const isSame = column === 'same' || (column === 'auto' && isNarrow);
  return isSame ? ViewColumn.Active : ViewColumn.Beside;
}

/**
 * Takes the width of a page in a group. Returns the group to which it is moved: that on its left, if there is not enough
 * room beside it.
 */
export function takeReplyWidth(width: number, column: ViewColumn | undefined): ViewColumn | undefined {
  if (currentSettings()['replies.column'] !== 'auto' || width === 0) return undefined;
  if (width >= WIDE) isNarrow = false;
  if (width >= NARROW || column === undefined || column === ViewColumn.One) return undefined;
  // Where the user has more groups, it is the user who made them narrow.
  if (window.tabGroups.all.length !== 2) return undefined;
  isNarrow = true;
  return column - 1;
}

/** Forgets the width of pages once none is open: the window may be wider by now. */
export function forgetReplyWidth(): void {
  isNarrow = false;
}
