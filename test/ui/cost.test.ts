import { isPictured } from './support/pictures.ts';
import { testCostWindow } from './support/cost-window.ts';

if (isPictured) testCostWindow('light', 'one');
testCostWindow('dark', 'all');
