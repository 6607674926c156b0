import { testInspectorWindow } from '../../ui/support/inspector-window.ts';

testInspectorWindow({ colorScheme: 'light', gridSize: 400 });
testInspectorWindow({ colorScheme: 'dark', gridSize: 4000 });
