import './cost.css';
import { CostPage } from './page.ts';

const root = document.getElementById('root');
if (root) new CostPage(root);
