// Administration: the families that the account may read, and the chosen one.

import { getRouteApi, Link } from '@tanstack/react-router';
import { useAccount } from '#console/client/session.ts';
import { PageFrame } from '#console/components/page-frame.tsx';
import { EmptyState } from '#console/components/states.tsx';
import { useLabels } from '#console/labels/labels.tsx';
import { isAtLeast } from '#contract/values.ts';
import { FAMILY_IDS } from './address.ts';
import styles from './administration.module.css';
import { families } from './families/index.ts';
import type { AnyFamily } from './family.ts';
import { FamilyView } from './view/family-view.tsx';

const route = getRouteApi('/administration');

export function Administration() {
  const { pages, shell, roles } = useLabels();
  const { role_name } = useAccount();
  const { family: chosen = 'users' } = route.useSearch();
  const family = families.find(({ id }) => id === chosen);
  return (
    <PageFrame title={pages.administration} fills>
      <div className={styles.page}>
        <Sections families={families.filter(({ readers }) => isAtLeast(role_name, readers))} chosen={chosen} />
        {family && isAtLeast(role_name, family.readers) ? (
          <FamilyView key={family.id} family={family} />
        ) : (
          <EmptyState
            icon="user"
            title={shell.forbiddenTitle}
            text={shell.forbiddenText(roles[family?.readers ?? 'MASTER'], roles[role_name])}
          />
        )}
      </div>
    </PageFrame>
  );
}

interface SectionsProps {
  readonly families: readonly AnyFamily[];
  readonly chosen: string;
}

function Sections({ families: readable, chosen }: SectionsProps) {
  const { administration: labels } = useLabels();
  return (
    <nav className={styles.sections} aria-label={labels.sections}>
      <ul>
        {FAMILY_IDS.filter((id) => readable.some((family) => family.id === id)).map((id) => (
          <li key={id}>
            <Link to="/administration" search={{ family: id }} aria-current={id === chosen ? 'page' : undefined}>
              {labels.families[id].many}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
