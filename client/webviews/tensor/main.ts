import './tensor.css';
import { InspectorPage } from './page.ts';

const root = document.getElementById('root');
if (root) new InspectorPage(root);
