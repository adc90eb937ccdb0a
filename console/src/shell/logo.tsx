// The mark of the product.

export const Logo = ({ size = 24 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="7" fill="var(--accent-fill)" />
    <path
      d="M5.500 16S9.500 8.500 16 8.500 26.500 16 26.500 16 22.500 23.500 16 23.500 5.500 16 5.500 16Z"
      fill="none"
      stroke="#fff"
      strokeWidth="2.400"
      strokeLinejoin="round"
    />
    <circle cx="16" cy="16" r="3.600" fill="#fff" />
  </svg>
);
