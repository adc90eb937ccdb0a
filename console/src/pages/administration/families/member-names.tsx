// Users by their GUIDs, each with a link to its record.

import { Link } from '@tanstack/react-router';
import { useAnswer } from '#console/client/answers.ts';
import { useLabels } from '#console/labels/labels.tsx';
import styles from '#console/pages/administration/administration.module.css';

export function MemberNames({ guids }: { readonly guids: readonly string[] }) {
  const { administration } = useLabels();
  const { data } = useAnswer('GET /api/core/users', {});
  const members = data?.users.filter(({ guid }) => guids.includes(guid)) ?? [];
  if (members.length === 0) return undefined;
  return (
    <section className={styles.children} aria-label={administration.members}>
      <h3>{administration.members}</h3>
      <ul>
        {members.map(({ guid, name, login }) => (
          <li key={guid}>
            <Link to="/administration" search={{ family: 'users', record: guid }}>
              {name} ({login})
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
