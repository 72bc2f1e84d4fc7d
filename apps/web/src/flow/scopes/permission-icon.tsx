import styles from './permission-icon.module.css';
import type { Permission } from './permissions.ts';

/** A person, a picture, a chain, a lamp, a key. */
const paths: Readonly<Record<Permission['kind'], string>> = {
  personal: 'M10 10.2a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8ZM3.6 17c.5-3 3.1-4.6 6.4-4.6s5.9 1.6 6.4 4.6',
  profile: 'M3.2 4.2h13.6v11.6H3.2zM3.4 14l4-4 3 3 2.4-2.2 3.8 3.4M13 8.2h.01',
  offline:
    'm8.4 11.6 3.2-3.2M9.2 5.8l1.6-1.6a3.5 3.5 0 0 1 5 5l-1.6 1.6M10.8 14.2l-1.6 1.6a3.5 3.5 0 0 1-5-5l1.6-1.6',
  resource: 'M7.4 13.6a5 5 0 1 1 5.2 0v1.6H7.4zM8 17.6h4',
  other: 'M12.6 10.8a3.6 3.6 0 1 0-3.4-3.4L3.4 13v3.6H7v-2h2v-2h1.8zM13.4 6.6h.01',
};

/** An icon for what a permission is about. It decorates: the words stand beside it. */
export const PermissionIcon = ({ kind }: Pick<Permission, 'kind'>) => (
  <svg className={styles.icon} width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d={paths[kind]} />
  </svg>
);
