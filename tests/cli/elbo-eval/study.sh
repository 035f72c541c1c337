# Gradient estimators of the quadratic: measured variances next to the closed forms, and curves.
set -eu
elbo-eval --study gradient-variance --repeats 200000 --num 5 -q > study.json
grep -oE '"(estimator|parameter|exact_variance|gradient)": [^,]*' study.json
grep -c '"x_label": "draw' study.json
elbo-eval --study gradient-variance --offset 10 --repeats 1000 --num 1 -q > lifted.json
grep -oE '"exact_variance": [^,]*' lifted.json
code=0
elbo-eval --study gradient-variance --samples 3 || code=$?
echo $code
