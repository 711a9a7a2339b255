"""Times scikit-learn's naive Bayes: python scikit_learn.py RUNS train.csv test.csv nb

Prints a line of JSON with the keys that `bnc bench` prints. The last column is the class; categories become codes
while the files are loaded, as scikit-learn wants them.
"""

import json
import statistics
import sys
import time

import numpy
import pandas
import sklearn
from sklearn.naive_bayes import CategoricalNB


def seconds(step):
    start = time.perf_counter()
    result = step()
    return time.perf_counter() - start, result


def load(file, columns=None):
    table = pandas.read_csv(file, dtype="category")
    codes = []
    for name in table:
        values = table[name]
        if columns is not None:
            values = values.cat.set_categories(columns[name])
        codes.append(values.cat.codes.to_numpy())
    columns = {name: table[name].cat.categories for name in table} if columns is None else columns
    # Whole columns of its own integers are what it goes through fastest.
    codes = numpy.asfortranarray(numpy.column_stack(codes), dtype=numpy.int64)
    return codes[:, :-1], codes[:, -1], columns


def main():
    runs, train, test = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    load_s, (rows, labels, columns) = seconds(lambda: load(train))
    test_rows, test_labels, _ = load(test, columns)
    cardinalities = [len(values) for values in columns.values()][:-1]
    train_s, predict_s = [], []
    for _ in range(runs):
        model = CategoricalNB(min_categories=cardinalities)
        train_s.append(seconds(lambda: model.fit(rows, labels))[0])
        took, posterior = seconds(lambda: model.predict_proba(test_rows))
        predict_s.append(took)
    print(
        json.dumps(
            {
                "program": "scikit-learn",
                "version": sklearn.__version__,
                "learner": "nb",
                "load_s": load_s,
                "train_s": statistics.median(train_s),
                "predict_s": statistics.median(predict_s),
                "accuracy": float((posterior.argmax(axis=1) == test_labels).mean()),
            }
        )
    )


main()
