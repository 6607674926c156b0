import { QuickPickItemKind, ThemeIcon, type QuickInputButton, type QuickPickItem } from 'vscode';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { groupTargets, type TargetQuestion } from './target-order.ts';
import { createPick, showItems } from '../sinks/quick-input.ts';

/** The use of a result: shown beside, put in place of its source, or copied to the clipboard. */
export type How = 'show' | 'replace' | 'copy';

export interface PickedTarget {
  readonly to: ConversionName;
  readonly how: How;
}

interface TargetItem extends QuickPickItem {
  readonly name?: ConversionName;
}

const REPLACE: QuickInputButton = { iconPath: new ThemeIcon('replace'), tooltip: 'Replace' };
const COPY: QuickInputButton = { iconPath: new ThemeIcon('copy'), tooltip: 'Copy' };

/**
 * Asks for a protocol, listing the last used first and the messages' own last. `how` is the action of Enter;
 * with `others`, each row has buttons for the other actions.
 */
export function pickTarget(
  question: TargetQuestion & {
    readonly title: string;
    readonly how: How;
    readonly offers: 'only this' | 'others';
  },
): Promise<PickedTarget | undefined> {
  const { title, how, offers } = question;
  const pick = createPick<TargetItem>();
  pick.title = title;
  pick.placeholder = 'Pick a protocol';
  pick.matchOnDescription = true;
  showItems(pick, listItems(offers === 'others' ? [REPLACE, COPY] : [], question));
  return new Promise(resolve => {
    const answer = (item: TargetItem | undefined, chosen: How): void => {
      resolve(item?.name && { to: item.name, how: chosen });
      pick.hide();
    };
    pick.onDidAccept(() => answer(pick.selectedItems[0], how));
    pick.onDidTriggerItemButton(({ item, button }) => answer(item, button === COPY ? 'copy' : 'replace'));
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function listItems(buttons: readonly QuickInputButton[], question: TargetQuestion): TargetItem[] {
  return groupTargets(question).flatMap(({ title, targets }) => [
    ...(title === undefined ? [] : [{ label: title, kind: QuickPickItemKind.Separator }]),
    ...targets.map(target => ({ ...target, buttons })),
  ]);
}
