// What the embedded engine promises as every engine does, over SQLite; embedded-store-forms.test.ts has the other forms of tables.

import { engineConformance } from '#test/support/engine-conformance/index.ts';
import { makeEngineHome } from '#test/support/log-engine.ts';
import { QUICK_FORMS } from '#test/support/table-forms.ts';

engineConformance({ name: 'The embedded engine over SQLite', open: makeEngineHome, forms: QUICK_FORMS });
