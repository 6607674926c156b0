import './form.css';
import { FormPage } from './page.ts';

const root = document.getElementById('root');
if (root) new FormPage(root);
