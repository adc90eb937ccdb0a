// Small bars without axes, the latest at the right.

import styles from './sparkline.module.css';

export function Sparkline({ label, values }: { readonly label: string; readonly values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${values.length} 20`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(1, (value / highest) * 20);
        // biome-ignore lint/suspicious/noArrayIndexKey: A bar is its place.
        return <rect key={index} x={index + 0.1} width={0.8} y={20 - height} height={height} />;
      })}
    </svg>
  );
}
