import { window } from 'vscode';
import { registerCommands, type ActivateFeature } from '../feature.ts';
import { compareTensors, compareWithChosen } from './compare-tensors.ts';
import { editTensor } from './edit-command.ts';
import { exportTensor } from './export-command.ts';
import { insertTensor } from './insert-command.ts';
import { inspectTensor } from './inspect-tensor.ts';
import { Inspectors, TENSOR_FILE_EDITOR } from './inspectors.ts';
import type { TENSORS } from './manifest.ts';
import type { TensorsParts } from './parts.ts';

/** Tensors of messages and of array files. */
export const activate: ActivateFeature = (shared, store) => {
  const { context, server, readRange } = shared;
  const inspectors: Inspectors = store.add(
    new Inspectors(context.extensionUri, {
      server,
      readRange,
      onCompare: inspector => compareWithChosen(parts, inspector),
    }),
  );
  const parts = { ...shared, inspectors };
  store.add(
    window.registerCustomEditorProvider(TENSOR_FILE_EDITOR, inspectors, {
      supportsMultipleEditorsPerDocument: true,
    }),
  );
  registerCommands<typeof TENSORS, TensorsParts>(store, parts, {
    inspectTensor,
    compareTensors,
    insertTensor,
    editTensor,
    exportTensor,
  });
};
