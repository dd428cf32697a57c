/* Conversions whose results are dropped; what is decided is computed. */
#include <stdio.h>
int main(void) {
  double weight, height;
  printf("Weight and height: ");
  scanf("%lf", &weight);
  scanf("%lf", &height);
  if (weight <= 0 || height <= 0) { printf("invalid\n"); return 1; }
  double bmi = weight / (height * height);
  if (bmi < 18.5) printf("under\n");
  else if (bmi < 25.0) printf("normal\n");
  else if (bmi < 30) printf("over\n");
  else printf("obese\n");
  return 0;
}
