export function ratingColor(rating: string): string {
  switch (rating) {
    case 'Excellent':
    case 'Good':
      return 'var(--good)'
    case 'Fair':
      return 'var(--medium)'
    case 'Poor':
      return 'var(--high)'
    default:
      return 'var(--critical)'
  }
}
