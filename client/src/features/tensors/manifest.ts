import { EDITABLE, IN_AICL, type Manifest } from '../manifest.ts';

export const TENSORS = {
  category: 'Parley',
  commands: [
    {
      name: 'inspectTensor',
      title: 'Inspect Tensor',
      icon: 'inspect',
      palette: IN_AICL,
      menus: { 'editor/context': { group: '1_parley@2', when: IN_AICL } },
    },
    { name: 'compareTensors', title: 'Compare Tensors…', icon: 'compare-changes' },
    {
      name: 'insertTensor',
      title: 'Insert Tensor…',
      palette: `${IN_AICL} && ${EDITABLE}`,
      menus: { 'editor/context': { group: '1_parley@3', when: `${IN_AICL} && ${EDITABLE}` } },
    },
    {
      name: 'editTensor',
      title: 'Edit Tensor…',
      icon: 'edit',
      palette: `${IN_AICL} && ${EDITABLE} || activeWebviewPanelId == parley.tensor`,
    },
    {
      name: 'exportTensor',
      title: 'Export Tensor…',
      icon: 'desktop-download',
      palette: `${IN_AICL} || activeWebviewPanelId == parley.tensor || activeCustomEditorId == parley.tensorFile`,
    },
  ],
} as const satisfies Manifest;
