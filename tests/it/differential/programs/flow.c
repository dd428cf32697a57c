int nondet(void); unsigned __VERIFIER_nondet_uint(void); char __VERIFIER_nondet_char(void); _Bool __VERIFIER_nondet_bool(void);
int g = 7; unsigned char wrap; int table[5] = { 1, 2, 3 };
int odd(int n);
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
int odd(int n) { if (!n) return 0; return even(n - 1); }
old(a, b) int a; char b; { return a - b; }
int flow(int n, int p) {
  int i = 0, r = 0, k;
  do { if (i == 2) continue; r += i++ * 2; if (r > 50) break; } while (++i < n && r-- != 9);
again:
  wrap += 100; if (wrap < 100 && p-- > 0) goto again;
  for (k = 0; k < 5; k++) { switch (table[k]) { case 1: continue; case 2: if (p) break; r++; default: { int t = r; r = t + k; } } r ^= k; }
  unsigned u = __VERIFIER_nondet_uint(); char c = __VERIFIER_nondet_char(); _Bool b = __VERIFIER_nondet_bool();
  if (u > 2147483648u || (c < 0 && !b)) r = ~r & 0xff;
  while (r > 0 ? u-- > 4294967290u : b) { if (r-- < 3) break; b = !b; }
  r += old(p, n); r = (g++, g) + r % 100;
  i = n & 3; table[i++] += n, table[i] = i; 
  return r + (even(n & 7) ? wrap : -wrap) + (p > n) * (n >= 0 ? n >> 1 : 1) + sizeof(int) + sizeof table;
}
