import { testCostWindow } from '../../ui/support/cost-window.ts';

testCostWindow('light', 'one');
