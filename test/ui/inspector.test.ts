import { testInspectorWindow } from './support/inspector-window.ts';
import { SCHEMES } from './support/pictures.ts';

for (const colorScheme of SCHEMES) testInspectorWindow({ colorScheme, gridSize: 400 });
