import { testSamplesWindow } from '../../ui/support/samples-window.ts';

testSamplesWindow('light', 'all');
