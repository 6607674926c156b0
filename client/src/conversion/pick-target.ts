import { QuickPickItemKind, ThemeIcon, type QuickPickItem } from 'vscode';
import type { ConversionName } from '../../../core/catalog/conversions.ts';
import { groupTargets, type TargetQuestion } from './target-order.ts';
import { createPick, showItems } from '../window/sinks/quick-input.ts';

/** The use of a result: shown beside, put in place of its source, or copied to the clipboard. */
export type How = 'show' | 'replace' | 'copy';

export interface PickedTarget {
  readonly to: ConversionName;
  readonly how: How;
}

interface TargetItem extends QuickPickItem {
  readonly name?: ConversionName;
  /** A row that changes what is done with the result. */
  readonly how?: How;
}

const WAYS: Readonly<Record<How, { readonly title: (what: string) => string; readonly row: TargetItem }>> = {
  show: {
    title: what => `Convert ${what} to`,
    row: { label: 'Show Beside…', how: 'show', iconPath: new ThemeIcon('open-preview') },
  },
  replace: {
    title: what => `Convert and replace ${what}`,
    row: { label: 'Replace…', how: 'replace', iconPath: new ThemeIcon('replace') },
  },
  copy: {
    title: what => `Copy ${what} as`,
    row: { label: 'Copy…', how: 'copy', iconPath: new ThemeIcon('copy') },
  },
};

/**
 * Asks for a protocol, listing the last used first and the messages' own last. The rows at the end choose another one of the
 * `ways` of using the result, the first of which applies without a choice.
 */
export function pickTarget(
  question: TargetQuestion & { readonly what: string; readonly ways: readonly [How, ...How[]] },
): Promise<PickedTarget | undefined> {
  const pick = createPick<TargetItem>();
  let how = question.ways[0];
  const show = (): void => {
    pick.title = WAYS[how].title(question.what);
    pick.value = '';
    showItems(pick, listItems(question, how));
  };
  pick.placeholder = 'Pick a protocol';
  pick.matchOnDescription = true;
  show();
  return new Promise(resolve => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item?.how) {
        how = item.how;
        return show();
      }
      resolve(item?.name && { to: item.name, how });
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

function listItems(question: Parameters<typeof pickTarget>[0], how: How): TargetItem[] {
  const separate = (label: string): TargetItem => ({ label, kind: QuickPickItemKind.Separator });
  const ways = question.ways.filter(way => way !== how);
  return [
    ...groupTargets(question).flatMap(({ title, targets }): TargetItem[] => [
      ...(title === undefined ? [] : [separate(title)]),
      ...targets,
    ]),
    ...(ways.length > 0 ? [separate('use of the result'), ...ways.map(way => WAYS[way].row)] : []),
  ];
}
