import styles from './initial.module.css';

interface InitialProps {
  name: string;
  /** The same-origin path of a picture; undefined: the letter is shown. */
  picture?: string | undefined;
  shape?: 'round' | 'square';
  size?: 'small' | 'medium' | 'large';
}

/** A picture, or the first letter of a name. It decorates: the name stands beside it. */
export const Initial = ({ name, picture, shape = 'round', size = 'medium' }: InitialProps) => {
  const className = [styles.initial, styles[shape], styles[size]].filter(Boolean).join(' ');
  if (picture) return <img className={className} src={picture} alt="" />;
  const [first = '·'] = name.replace(/^[^\p{L}\p{N}]+/u, '');
  return (
    <span className={className} aria-hidden="true">
      {first.toLocaleUpperCase()}
    </span>
  );
};
