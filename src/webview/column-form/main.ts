import '../common/base.css';
import '../common/panel.css';
import './column-form.css';
import { openPage } from '../common/page.ts';
import { startColumnForm } from './start.ts';

const page = openPage('column-form');
page.showIcons();
startColumnForm(page);
