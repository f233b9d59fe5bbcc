import '../common/base.css';
import '../common/panel.css';
import '../column-form/column-form.css';
import './import.css';
import { openPage } from '../common/page.ts';
import { startImport } from './start.ts';

const page = openPage('import');
page.showIcons();
startImport(page);
