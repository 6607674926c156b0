import { EDITABLE, IN_AICL, type Manifest } from '../manifest.ts';

const SUBMENU = 'parley.tensor';

export const TENSORS = {
  category: 'Parley Tensor',
  commands: [
    {
      name: 'inspectTensor',
      title: 'Inspect',
      icon: 'inspect',
      palette: IN_AICL,
      menus: { [SUBMENU]: { group: '1@1' } },
    },
    {
      name: 'compareTensors',
      title: 'Compare…',
      icon: 'compare-changes',
      menus: { [SUBMENU]: { group: '1@2' } },
    },
    {
      name: 'insertTensor',
      title: 'Insert…',
      palette: `${IN_AICL} && ${EDITABLE}`,
      menus: { [SUBMENU]: { group: '1@4', when: EDITABLE } },
    },
    {
      name: 'editTensor',
      title: 'Edit…',
      icon: 'edit',
      palette: `${IN_AICL} && ${EDITABLE} || activeWebviewPanelId == parley.tensor`,
      menus: { [SUBMENU]: { group: '1@3', when: EDITABLE } },
    },
    {
      name: 'exportTensor',
      title: 'Export…',
      icon: 'desktop-download',
      palette: `${IN_AICL} || activeWebviewPanelId == parley.tensor || activeCustomEditorId == parley.tensorFile`,
      menus: { [SUBMENU]: { group: '1@5' } },
    },
  ],
  submenus: [{ id: SUBMENU, title: 'Tensor', menu: 'editor/context', group: '1_parley@2', when: IN_AICL }],
} as const satisfies Manifest;
